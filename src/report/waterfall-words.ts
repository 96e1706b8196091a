import type { KindCounts, Move, Waterfall, WaterfallStep } from '../compare/waterfall/waterfall.ts';
import { count, plural, NONE } from '../text/figures.ts';
import { kindName } from './kind-name.ts';

/** A value of a column; `–` if it has none. */
export function shownValue(value: number | null, digits: number): string {
  return value === null ? NONE : value.toFixed(digits);
}

/** The values of one measure down the steps, the start first. */
export function valuesOf(steps: readonly WaterfallStep[], measure: string): (number | null)[] {
  return steps.map(({ measures }) => (Object.hasOwn(measures, measure) ? (measures[measure] ?? null) : null));
}

/** The rule that a step adds, as the recipe names it. Holds text from data: escape it. */
export function stepName({ path }: WaterfallStep): string {
  return path === 'strict' ? 'strict matching' : path;
}

/** What the strict start still does. */
export function keptSentence({ kept }: Waterfall): string {
  if (kept.length === 0) return '';
  return `Strict matching keeps ${kept.join(', ')}: without ${kept.length === 1 ? 'it' : 'them'} there is nothing to score.`;
}

/**
 * How many cases the rows are of, and how many of the files are in none.
 *
 * @example casesOfWaterfall({ cases: 48, failed: 12 }) // '60 cases, 12 failed and in no row'
 * @example casesOfWaterfall({ cases: 5, scored: 7 }) // '5 cases, scored as 7 since a rule makes several of one'
 */
export function casesOfWaterfall({
  cases,
  failed = 0,
  scored = cases,
  asked,
}: Pick<Waterfall, 'cases' | 'failed' | 'scored' | 'asked'>): string {
  const total = cases + failed;
  const all = asked === undefined ? plural(total, 'case') : `${plural(total, 'answer')} to ${plural(asked, 'case')}`;
  const out = failed === 0 ? '' : `, ${failed === total ? 'all' : count(failed)} failed and in no row`;
  const several = scored === cases ? '' : `, scored as ${count(scored)} since a rule makes several of one`;
  return `${all}${out}${several}`;
}

/** Why TP is less than the number of hits, and what precision and recall are made of then. */
export function creditNotes({ steps }: Pick<Waterfall, 'steps'>): string[] {
  const last = steps.at(-1)!;
  return [
    ...last.kinds.flatMap((kind) => (kind.hits === undefined ? [] : [creditNote(kind, kind.hits, last.kinds.length)])),
    ...steps.flatMap((step, at) => lostCredit(steps[at - 1], step)),
  ];
}

function creditNote({ kind, hit, spurious, missed }: KindCounts, hits: number, kinds: number): string {
  const lead = kinds > 1 ? `${kindName(kind)}: ` : '';
  return (
    `${lead}TP ${count(hit)} is the credit of ${plural(hits, 'hit')}: ` +
    `P is credit / predicted, ${count(hit)} / (${count(hits)} + ${count(spurious)}), ` +
    `and R is credit / gold, ${count(hit)} / (${count(hits)} + ${count(missed)}).`
  );
}

/** A step that moves no item may still take credit from hits. */
function lostCredit(before: WaterfallStep | undefined, { path, kinds, moves }: WaterfallStep): string[] {
  if (before === undefined || moves === null || moves.total > 0) return [];
  const partly = (all: readonly KindCounts[]): number => all.reduce((sum, kind) => sum + (kind.partly ?? 0), 0);
  const lost = partly(kinds) - partly(before.kinds);
  return lost <= 0 ? [] : [`${path}: ${plural(lost, 'hit loses', 'hits lose')} credit; no verdict changes.`];
}

/** Needed if merged items moved: then moves and the counts of the table differ. */
export function movesNote(steps: readonly WaterfallStep[]): string | null {
  const differs = steps.some((step, at) => at > 0 && !addsUp(steps[at - 1]!, step));
  return differs
    ? 'Moved items are those of the files, before merging: items merged into one move together, while FP and FN count them once.'
    : null;
}

function addsUp(before: WaterfallStep, { kinds, moves }: WaterfallStep): boolean {
  if (moves === null) return true;
  return (['missed', 'spurious'] as const).every((verdict) => {
    const sum = (all: readonly KindCounts[]): number => all.reduce((total, kind) => total + kind[verdict], 0);
    const moved = moves.by.reduce(
      (total, { from, to, n }) => total + (to === verdict ? n : 0) - (from === verdict ? n : 0),
      0,
    );
    return moved === sum(kinds) - sum(before.kinds);
  });
}

/** `missed → hit`, for items that are new or gone too. */
export function moveText({ from, to }: Pick<Move, 'from' | 'to'>): string {
  return `${from ?? 'not there'} → ${to ?? 'gone'}`;
}
