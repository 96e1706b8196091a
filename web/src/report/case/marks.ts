import { shorten } from '../../../../src/data/visible.ts';
import type { Stretch } from '../../boundaries.ts';
import { readableText } from '../../readable-pieces.ts';
import type { CaseItem, CaseItems, VerdictName } from './case-items.ts';

/** What of a case is drawn in its text. */
export interface Shown {
  readonly gold: boolean;
  readonly predicted: boolean;
  readonly hits: boolean;
  readonly excused: boolean;
}

export const ALL_SHOWN: Shown = { gold: true, predicted: true, hits: true, excused: true };

/** A bar along a stretch of the text; a span in pieces has one for each. */
export interface Mark {
  readonly id: string;
  /** The key that picking it selects. */
  readonly selects: string;
  /** All items that it stands for: gold is drawn once for all runs. */
  readonly keys: readonly string[];
  /** Which piece of its items it is, from 0. */
  readonly piece: number;
  /** 0: gold, above the text; run + 1: what a run predicted, below it. */
  readonly row: number;
  readonly start: number;
  readonly end: number;
  readonly label: string;
  /** By run where the runs differ; a single one where they agree. */
  readonly verdicts: readonly VerdictName[];
  /** For those who do not see it. */
  readonly name: string;
}

const LONGEST_WORDS = 80;
const LONGEST_LABEL = 60;

/** Bars in the order of the text. `names`: what the runs are called, where there are several. */
export function marksOf(items: CaseItems, shown: Shown, names: readonly string[]): readonly Mark[] {
  const marks: Mark[] = [];
  const drawn = new Set<string>();
  for (const one of items.all) {
    const { place, side, run } = one;
    if (place === null || !shown[side]) continue;
    const twins =
      side === 'gold'
        ? (items.byIdentity.get(one.identity) ?? [one])
        : twinsOfRun(items.byIdentity.get(one.identity), one);
    const first = twins[0] ?? one;
    if (drawn.has(first.key)) continue;
    drawn.add(first.key);
    const verdicts = agreed(twins.map(({ record }) => record.verdict));
    if (!verdicts.some((verdict) => isShown(verdict, shown))) continue;
    const mark = {
      selects: first.key,
      keys: twins.map(({ key }) => key),
      row: side === 'gold' ? 0 : run + 1,
      label: one.item.label,
      verdicts,
      name: markName(one, twins, names),
    };
    for (const [piece, { start, end }] of (place.pieces ?? [place]).entries())
      marks.push({ ...mark, id: piece === 0 ? first.key : `${first.key}/${piece}`, piece, start, end });
  }
  return marks.sort((a, b) => a.start - b.start || a.row - b.row || b.end - a.end);
}

/** The same item may be in several lines of its run, such as when it takes part in two matches. */
function twinsOfRun(alike: readonly CaseItem[] | undefined, one: CaseItem): readonly CaseItem[] {
  return (alike ?? [one]).filter(({ run, item }) => run === one.run && item.index === one.item.index);
}

function agreed(verdicts: readonly VerdictName[]): readonly VerdictName[] {
  const [first] = verdicts;
  return first === undefined || verdicts.some((verdict) => verdict !== first) ? verdicts : [first];
}

function isShown(verdict: VerdictName, { hits, excused }: Shown): boolean {
  return verdict === 'hit' ? hits : verdict === 'excused' ? excused : true;
}

function markName({ item, place, side }: CaseItem, twins: readonly CaseItem[], names: readonly string[]): string {
  const several = names.length > 1;
  const differ = agreed(twins.map(({ record }) => record.verdict)).length > 1;
  const verdict = differ
    ? twins.map(({ record, run }) => `${record.verdict}${several ? ` in ${names[run] ?? ''}` : ''}`).join(', ')
    : `${twins[0]?.record.verdict ?? ''}${several && side === 'predicted' ? ` in ${names[twins[0]?.run ?? 0] ?? ''}` : ''}`;
  const label = readableText(shorten(item.label, LONGEST_LABEL));
  const words = readableText(shorten(item.text, LONGEST_WORDS));
  const where =
    place === null
      ? ''
      : place.by === 'place'
        ? `, characters ${piecesText(place.pieces ?? [place])}`
        : ', shown where the words first stand';
  return `${verdict}, ${side === 'gold' ? 'gold' : 'predicted'} ${label}, ‘${words}’${where}`;
}

function piecesText(pieces: readonly Stretch[]): string {
  return pieces.map(({ start, end }) => `${start} to ${end}`).join(' and ');
}
