import { offsetFlag } from '../../../data/offset-fits.ts';
import { count, percent, plural } from '../../../text/figures.ts';
import { shiftWords } from '../../../text/span-fit.ts';
import type { NewFinding } from '../../check.ts';
import { type Evidence, sum } from '../../evidence.ts';
import type { Severity } from '../../finding.ts';
import { offsetUnit, pairParts, type ResolvedRecipe } from '../../recipe-parts.ts';
import { type Drift, endsOf, moveNumber } from './near-places.ts';
import type { UnitGap } from './other-unit.ts';

/** Fewer spans may be off by chance. */
export const FEWEST = { spans: 5, cases: 2 };
/** A case is off in a way if so many of its pairs are that are either exact or off in this way. */
export const CONSISTENT = 0.8;
/** Both ends move together so many times as often as they would if each moved by itself, or with the other reversed. */
export const LIFT = 3;
/** Or the way explains so many of all pairs that are off; one end, of all pairs. */
const DOMINANT = 0.5;
/** One end alone is off in any system now and then: cases with several such spans, most of which are cut words, tell. */
export const LONE_END = { pairs: 2, spans: 10, cases: 2, cut: 0.8 };
export const SHARE = { warning: 0.01, error: 0.05, everywhere: 0.8 };

/** The pairs of all cases: exact ones, and those that are off, by how far. */
export type Pairs = {
  exact: number;
  cases: number;
  readonly moved: Map<number, number>;
  readonly sizes: Map<number, number>;
};
/**
 * Spans of cases that are off in one way: how many of them, and of their gold, begin or end within a word; how many are no
 * whole hits; of a drift, how many are off by the number of line breaks before them.
 */
export type Off = { cutPredicted: number; cutGold: number; lost: number; breaks: number; readonly evidence: Evidence };

/** Whether both ends are off by the same: no system errs so, but counting does. */
export function isTogether(move: number): boolean {
  const { start, end } = endsOf(move);
  return start === end && start !== 0;
}

/** Whether the prediction lacks the first or the last character: an end that was counted in another way. */
export function isCutting(move: number): boolean {
  return move === moveNumber(0, -1) || move === moveNumber(1, 0);
}

export function isFault(move: number, { evidence, cutPredicted }: Off, { exact, moved, sizes }: Pairs): boolean {
  const [spans, cases] = [evidence.items.total, evidence.cases.total];
  const [off, { start, end }] = [sum(moved.values()), endsOf(move)];
  const all = exact + off;
  if (spans < SHARE.warning * all) return false;
  if (!isTogether(move)) {
    const share = (moved.get(move) ?? 0) / all;
    const byChance = sum([...sizes].map(([n, m]) => (n < LONE_END.pairs ? 0 : m * share ** Math.ceil(CONSISTENT * n))));
    const isCutWords = cutPredicted >= LONE_END.cut * spans;
    if (!isCutWords || spans < LONE_END.spans || cases < LONE_END.cases) return false;
    return cases >= LIFT * byChance || spans >= DOMINANT * all;
  }
  if (spans < FEWEST.spans || cases < FEWEST.cases) return false;
  const reversed = [moveNumber(start, -end), moveNumber(-start, end)].map((other) => moved.get(other) ?? 0);
  if (spans < LIFT * Math.min(...reversed)) return false;
  const movedBy = (isEnds: (ends: ReturnType<typeof endsOf>) => boolean): number =>
    sum([...moved].map(([other, n]) => (isEnds(endsOf(other)) ? n : 0)));
  const startOnly = movedBy((ends) => ends.start === start && ends.end !== end);
  const endOnly = movedBy((ends) => ends.end === end && ends.start !== start);
  // If each end moved by itself, both would together this often.
  const neither = all - startOnly - endOnly - (moved.get(move) ?? 0);
  const apart = (startOnly * endOnly) / Math.max(neither, 1);
  return spans >= FEWEST.spans + LIFT * apart || spans >= DOMINANT * off;
}

/** Spans that count as hits although they are off make no number wrong. */
function severityOf({ evidence, lost }: Off, all: number): Severity {
  if (lost < SHARE.warning * all) return 'note';
  return evidence.items.total >= SHARE.error * all ? 'error' : 'warning';
}

export function moveFinding(
  move: number,
  off: Off,
  { exact, moved, cases }: Pairs,
  recipe: ResolvedRecipe,
): NewFinding {
  const { evidence, cutGold, cutPredicted } = off;
  const [spans, { start, end }] = [evidence.items.total, endsOf(move)];
  const all = exact + sum(moved.values());
  // The side that cuts words is the one that was counted wrongly.
  const side = cutGold > cutPredicted ? 'gold' : 'predicted';
  const when = side === 'gold' ? shiftWords(start, end) : shiftWords(-start, -end);
  const isEverywhere = evidence.cases.total >= SHARE.everywhere * cases && spans >= SHARE.everywhere * (spans + exact);
  const flag = isEverywhere ? offsetFlag(when, offsetUnit(recipe, side)) : null;
  const tolerant = toleranceFlags(recipe, Math.max(Math.abs(start), Math.abs(end)));
  return {
    severity: severityOf(off, all),
    title: `In ${count(evidence.cases.total)} of ${plural(cases, 'case')} predictions are next to gold, all off in the same way: ${count(spans)} of ${count(all)} (${percent(spans, all)}) would be in its place if ${when} (${side})`,
    words: 'shifted-spans/off',
    todo:
      flag !== null
        ? `Read them with --offsets ${side}=${flag}, or fix them where the spans are made, and score again.`
        : `Find what these cases have in common and fix their offsets (${side}).${tolerant === null ? '' : ` To see the score without the fault, let boundaries be off by that much: ${tolerant}.`}`,
    subjects: [side],
    evidence,
  };
}

export function driftFinding(way: Drift['way'], off: Off, { exact, moved, cases }: Pairs): NewFinding | null {
  const { evidence, breaks } = off;
  const [spans, all] = [evidence.items.total, exact + sum(moved.values())];
  if (spans < FEWEST.spans || evidence.cases.total < FEWEST.cases || spans < SHARE.warning * all) return null;
  const isBreaks = breaks >= CONSISTENT * spans;
  const why = isBreaks
    ? `line breaks were counted as ${way > 0 ? 'one character' : 'two characters'} (predicted)`
    : `nothing before them were ${way > 0 ? 'counted that is not in the text' : 'left out'} (predicted)`;
  return {
    severity: severityOf(off, Math.max(all, spans)),
    title: `In ${count(evidence.cases.total)} of ${plural(cases, 'case')} predictions are farther ${way > 0 ? 'behind' : 'before'} gold the later they stand: ${plural(spans, 'prediction')} would be in place if ${why}`,
    words: 'shifted-spans/off',
    todo: `Look at what comes before the first of them, such as line breaks (CR LF), markup or entities that one side lacks; count places in the text that is scored, and score again.`,
    subjects: ['predicted'],
    evidence,
  };
}

export function unitFinding(
  key: string,
  { evidence }: Off,
  passed: Readonly<Record<UnitGap, number>>,
): NewFinding | null {
  const [side = '', unit = '', gap = '', ...when] = key.split(' ');
  const [spans, cases] = [evidence.items.total, evidence.cases.total];
  if (spans < FEWEST.spans || cases < FEWEST.cases) return null;
  const right = gap === 'byte' ? passed.byte : passed.utf16;
  const isEverywhere = cases >= SHARE.everywhere * (cases + right);
  return {
    severity: 'error',
    title: `${plural(spans, 'prediction')} in ${plural(cases, 'case')}, behind characters that units count differently, would be in the place of gold if ${when.join(' ')}${isEverywhere ? '' : `; in ${plural(right, 'other case')} such predictions are in their place`}`,
    words: 'shifted-spans/off',
    todo: isEverywhere
      ? `Read them with --offsets ${side}=${unit}, or fix them where the spans are made, and score again.`
      : `Find what these cases have in common, and convert their offsets (${side}): a setting would move those of the others, too.`,
    subjects: [side],
    evidence,
  };
}

/** Settings under which boundaries may be off by some characters; null if the way spans are paired has no place for it. */
function toleranceFlags(recipe: ResolvedRecipe, tolerance: number): string | null {
  const parts = pairParts(recipe);
  const part = parts.find(({ kind }) => kind === 'span');
  const [criterion, ...others] = part?.accept ?? [];
  if (part?.unit !== 'item' || criterion === undefined || others.length > 0) return null;
  const path = parts.length > 1 ? 'pair.span' : 'pair';
  if (criterion.similarity === 'iou') return `--set ${path}.tolerance=${tolerance}`;
  return criterion.similarity === 'exact'
    ? `--set ${path}.similarity=iou --set ${path}.threshold=1 --set ${path}.tolerance=${tolerance}`
    : null;
}
