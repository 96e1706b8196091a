import type { Case } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import { isShortReason, shortReason } from '../pair/difference.ts';
import { contentOrder } from '../pair/places.ts';
import type { Plan } from '../recipe/plan.ts';
import type { OffsetMap } from '../text/offsets.ts';
import {
  sideText,
  lineHead,
  placedText,
  lineText,
  outcomeText,
  placeText,
  quoted,
  rejectedText,
} from './ledger-line.ts';
import type { LedgerLayout } from './run.ts';
import type { SchemeVerdicts } from './score-case.ts';

/**
 * What all lines of a run's ledger share. Schemes that pair the same items as the recipe itself share its lines; those of
 * tokens, characters or masked text have their own.
 */
export function ledgerLayout({ schemes: [own, ...others] }: Pick<Plan, 'schemes'>): LedgerLayout {
  const kinds = [...(own?.pair.keys() ?? [])];
  const pairsItems = ({ pair }: Plan['schemes'][number]): boolean =>
    kinds.length === 1 && pair.size === 1 && pair.get(kinds[0]!)?.unit === 'item';
  const apart = others.filter((scheme) => own === undefined || !pairsItems(own) || !pairsItems(scheme));
  const nameOf = ({ name }: Plan['schemes'][number]): string => name ?? '';
  return {
    ...(kinds.length === 1 ? { kind: kinds[0]! } : {}),
    schemes: others.map(nameOf),
    apart: apart.map(nameOf),
  };
}

/** The verdicts of a case: those of the recipe's own pairing, then those of its schemes. */
export interface JudgedCase {
  readonly case: Pick<Case, 'gold' | 'predicted' | 'offsets'>;
  readonly verdicts: readonly Verdict[];
  readonly schemes: readonly SchemeVerdicts[];
}

/** The lines of a case, in the order in which its verdicts are read again. */
export function ledgerLines(layout: LedgerLayout, judged: JudgedCase): string[] {
  const { verdicts, schemes } = judged;
  const shared = layout.schemes.length === layout.apart.length ? null : itemLines(layout, judged);
  if (shared !== null) return shared;
  const write = lineWriter(layout, judged.case.offsets, reasonsWriter(verdicts, judged.case.offsets));
  // Schemes that would share lines have none in this case: then each line is one verdict.
  const isPlain = layout.schemes.length === layout.apart.length;
  return [
    ...verdicts.map((own) => write(own, isPlain ? undefined : null)),
    ...schemes.flatMap(({ scheme, verdicts: other }) => other.map((own) => write(own, scheme))),
  ];
}

/** A line of a case; `scheme` is undefined where all schemes share it. */
function lineWriter({ kind: plainKind }: LedgerLayout, offsets: OffsetMap | null, reasons: (own: Verdict) => string) {
  let [head, headOf]: [string, Verdict | null] = ['', null];
  return (own: Verdict, scheme: string | null | undefined, others = ''): string => {
    const { gold, predicted } = own;
    const kind = own.kind === plainKind ? null : own.kind;
    if (scheme !== undefined || kind !== null) head = lineHead(own.case, scheme, kind);
    else if (headOf?.case !== own.case) head = lineHead(own.case, undefined, null);
    headOf = scheme === undefined && kind === null ? own : null;
    const item = gold ?? predicted;
    const line = item === null ? null : placedText(item, offsets);
    return lineText(
      head,
      outcomeText(own.verdict, own.rule, own.similarity, own.credit, own.weight, own.match),
      gold === null ? '' : sideText(gold, line!, own.label, line!, offsets),
      predicted === null
        ? ''
        : sideText(predicted, gold === null ? line! : placedText(predicted, offsets), own.label, line!, offsets),
      quoted(own.label),
      line === null ? '' : placeText(line.text, line.start, line.end),
      reasons(own),
      others,
    );
  };
}

/** The items of the lines by side, kind and index: the candidate of another line need not be written again. */
function reasonsWriter(verdicts: readonly Verdict[], offsets: OffsetMap | null): (own: Verdict) => string {
  const items = { gold: new Map<string, (Item | undefined)[]>(), predicted: new Map<string, (Item | undefined)[]>() };
  let isKnown = false;
  const know = (side: 'gold' | 'predicted', item: Item | null): void => {
    if (item === null || item.index < 0) return;
    const list = items[side].get(item.kind) ?? [];
    if (list.length === 0) items[side].set(item.kind, list);
    list[item.index] ??= item;
  };
  return ({ kind, gold, predicted, attributes, because, setAside, rejected }) => {
    let text = '';
    if (attributes !== null) text += `,"attributes":${JSON.stringify(attributes)}`;
    if (because !== null) text += `,"because":${quoted(because)}`;
    if (setAside) text += ',"setAside":true';
    if (rejected === null) return text;
    if (!isKnown)
      for (const one of verdicts) {
        know('gold', one.gold);
        know('predicted', one.predicted);
      }
    isKnown = true;
    const { item, similarity, why } = rejected;
    const known = items[gold === null ? 'gold' : 'predicted'].get(kind)?.[item.index];
    const own = gold ?? predicted;
    if (known?.label === item.label && known.text === item.text && own !== null) {
      const [a, b] = [placedText(own, offsets), placedText(known, offsets)];
      const short = gold === null ? shortReason(why, b, a) : shortReason(why, a, b);
      if (short !== undefined || !isShortReason(why))
        return text + rejectedText(item.index, '', similarity, short ?? why);
    }
    const content = `,"label":${quoted(item.label)},"text":${quoted(item.text)}`;
    return text + rejectedText(item.index, content, similarity, why);
  };
}

/** What one scheme made of each item, by index. */
interface Outcomes {
  readonly gold: (Verdict | undefined)[];
  /** Of predictions alone. */
  readonly predicted: (Verdict | undefined)[];
  /** The gold item that a prediction is paired with. */
  readonly pairedWith: (number | undefined)[];
  /** What is not paired at all: set aside, or logged. */
  readonly rest: readonly Verdict[];
}

/**
 * One line for each item and what all schemes made of it. Null where the verdicts are not one for each item in the order
 * of the items, so that they could not be read again as they are: user code may do as it likes.
 */
function itemLines(layout: LedgerLayout, judged: JudgedCase): string[] | null {
  const { verdicts, schemes } = judged;
  if (schemes.length === 0) return null;
  for (const ordered of [(items: readonly Item[]) => items, contentOrder]) {
    const [gold, predicted] = [ordered(judged.case.gold), ordered(judged.case.predicted)];
    const [goldPlaces, predictedPlaces] = [placesOf(gold), placesOf(predicted)];
    const sort = (list: readonly Verdict[]): Outcomes | null => outcomesOf(list, layout, goldPlaces, predictedPlaces);
    const own = sort(verdicts);
    if (own === null) continue;
    const others: [string, Outcomes][] = [];
    for (const { scheme, verdicts: list } of schemes) {
      if (scheme === null || layout.apart.includes(scheme)) continue;
      const other = sort(list);
      if (other === null || !isOfSameItems(own, other)) break;
      others.push([scheme, other]);
    }
    if (others.length === layout.schemes.length - layout.apart.length)
      return writeItemLines(layout, judged, { gold, predicted, own, others });
  }
  return null;
}

function placesOf(items: readonly Item[]): readonly (number | undefined)[] {
  const places: (number | undefined)[] = [];
  for (let at = 0; at < items.length; at += 1) places[items[at]!.index] = at;
  return places;
}

/** Pairs, then gold alone, then predictions alone, each in the order of the items, then the rest; else null. */
function outcomesOf(
  verdicts: readonly Verdict[],
  { kind }: LedgerLayout,
  goldPlaces: readonly (number | undefined)[],
  predictedPlaces: readonly (number | undefined)[],
): Outcomes | null {
  const outcomes = {
    gold: new Array<Verdict | undefined>(),
    predicted: new Array<Verdict | undefined>(),
    pairedWith: new Array<number | undefined>(),
    rest: new Array<Verdict>(),
  };
  let [rank, last] = [0, -1];
  for (const own of verdicts) {
    const { gold, predicted } = own;
    const ownRank = own.setAside || own.kind !== kind ? 3 : gold === null ? 2 : predicted === null ? 1 : 0;
    if (ownRank < rank || (gold === null && predicted === null)) return null;
    if (ownRank > rank) [rank, last] = [ownRank, -1];
    if (rank === 3) {
      outcomes.rest.push(own);
      continue;
    }
    const place = gold === null ? predictedPlaces[predicted!.index] : goldPlaces[gold.index];
    if (place === undefined || place <= last || (gold?.index ?? 0) < 0 || (predicted?.index ?? 0) < 0) return null;
    last = place;
    if (gold === null) outcomes.predicted[predicted!.index] = own;
    else if (outcomes.gold[gold.index] !== undefined) return null;
    else outcomes.gold[gold.index] = own;
    if (gold !== null && predicted !== null) outcomes.pairedWith[predicted.index] ??= gold.index;
  }
  const isTwice = outcomes.predicted.some((_, index) => outcomes.pairedWith[index] !== undefined);
  return isTwice ? null : outcomes;
}

/** Every item of the recipe's own pairing has an outcome in the other, which knows no further one. */
function isOfSameItems(own: Outcomes, other: Outcomes): boolean {
  const itemOf = (index: number): Item | null | undefined =>
    own.predicted[index]?.predicted ?? own.gold[own.pairedWith[index] ?? -1]?.predicted;
  let count = 0;
  for (const verdict of other.gold) {
    if (verdict === undefined) continue;
    count += 1;
    if (verdict.gold !== own.gold[verdict.gold!.index]?.gold) return false;
    if (verdict.predicted !== null && verdict.predicted !== itemOf(verdict.predicted.index)) return false;
  }
  for (const verdict of own.gold) if (verdict !== undefined) count -= 1;
  if (count !== 0) return false;
  for (const verdict of other.predicted)
    if (verdict !== undefined && verdict.predicted !== itemOf(verdict.predicted!.index)) return false;
  for (const verdict of own.predicted) {
    if (verdict === undefined) continue;
    const { index } = verdict.predicted!;
    if (other.predicted[index] === undefined && other.pairedWith[index] === undefined) return false;
  }
  const aside = own.rest.filter(({ setAside }) => setAside);
  return aside.length === other.rest.length && aside.every((verdict, at) => isSame(verdict, other.rest[at]!));
}

function writeItemLines(
  layout: LedgerLayout,
  judged: JudgedCase,
  {
    gold,
    predicted,
    own,
    others,
  }: Readonly<Record<'gold' | 'predicted', readonly Item[]>> & {
    readonly own: Outcomes;
    readonly others: readonly (readonly [string, Outcomes])[];
  },
): string[] {
  const reasons = reasonsWriter(judged.verdicts, judged.case.offsets);
  const write = lineWriter(layout, judged.case.offsets, reasons);
  const outcome = (verdict: Verdict, line: Verdict, side: 'gold' | 'predicted' | null): string => {
    const { rule, similarity, credit, weight, match, label } = verdict;
    const made = outcomeText(verdict.verdict, rule, similarity, credit, weight, match).slice(1);
    const other = side === null || verdict[side] === null ? '' : `,"${side}":${verdict[side].index}`;
    const named = label === line.label ? '' : `,"label":${quoted(label)}`;
    return `{${made}${other}${named}${reasons(verdict)}}`;
  };
  const lines: string[] = [];
  for (const { index } of gold) {
    const line = own.gold[index];
    if (line === undefined) continue;
    let differing = '';
    for (const [name, { gold: made }] of others)
      if (!isSame(line, made[index]!))
        differing += `${differing === '' ? '' : ','}${quoted(name)}:${outcome(made[index]!, line, 'predicted')}`;
    lines.push(write(line, undefined, differing));
  }
  for (const { index } of predicted) {
    const line = own.predicted[index];
    let differing = '';
    for (const [name, { predicted: made, pairedWith }] of others) {
      const verdict = made[index];
      if (line === undefined) {
        if (verdict !== undefined) lines.push(write(verdict, name));
      } else if (verdict === undefined || !isSame(line, verdict)) {
        const other = verdict === undefined ? `{"gold":${pairedWith[index]!}}` : outcome(verdict, line, null);
        differing += `${differing === '' ? '' : ','}${quoted(name)}:${other}`;
      }
    }
    if (line !== undefined) lines.push(write(line, undefined, differing));
  }
  for (const verdict of own.rest) lines.push(write(verdict, verdict.setAside ? undefined : null));
  for (const { scheme, verdicts } of judged.schemes)
    if (scheme !== null && layout.apart.includes(scheme))
      for (const verdict of verdicts) lines.push(write(verdict, scheme));
  return lines;
}

/** Whether two schemes came to the same. */
function isSame(a: Verdict, b: Verdict): boolean {
  return (
    a.verdict === b.verdict &&
    a.rule === b.rule &&
    a.similarity === b.similarity &&
    a.credit === b.credit &&
    a.weight === b.weight &&
    a.gold === b.gold &&
    a.predicted === b.predicted &&
    a.because === b.because &&
    a.match === b.match &&
    a.label === b.label &&
    a.kind === b.kind &&
    a.setAside === b.setAside &&
    (a.rejected === b.rejected ||
      (a.rejected?.item === b.rejected?.item &&
        a.rejected?.similarity === b.rejected?.similarity &&
        a.rejected?.why === b.rejected?.why)) &&
    (a.attributes === b.attributes || JSON.stringify(a.attributes) === JSON.stringify(b.attributes))
  );
}
