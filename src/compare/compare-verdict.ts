import { type Direction, improvement } from '../measure/measure.ts';
import type { Slice } from '../measure/results.ts';
import { holm } from '../stats/holm.ts';
import type { PairedDifference } from '../stats/paired-difference.ts';
import { neededPairs } from '../stats/power.ts';
import type { ComparisonVerdict, MeasureComparison } from './comparison.ts';

/** Below this a standardised difference is less than "small" (Cohen 1988): more cases would be for a difference of no weight. */
const SMALL = 0.2;

interface Row extends PairedDifference {
  readonly name: string;
  readonly slice: Slice;
  readonly direction: Direction;
  readonly best?: number;
  readonly system: number;
}

/** One measure of one slice: `system` beside the system `from`. */
export interface ComparedPair extends Row {
  readonly from: number;
}

/** What one row of a family comes to. */
export type Judged<R> = R & Pick<MeasureComparison, 'adjusted' | 'verdict' | 'needed'>;

/** The rows with Holm's correction over all of them, and what each comes to in one word. */
export function judged<R extends Row>(rows: readonly R[], level: number): Judged<R>[] {
  const adjusted = holm(rows.map(({ permutation }) => permutation.pValue));
  const tests = adjusted.filter((p) => p !== null).length;
  return rows.map((row, at) => {
    const p = adjusted[at] ?? null;
    const threshold = thresholdOf(level);
    // What one test of the family must reach at worst.
    const alpha = threshold / Math.max(1, tests);
    return { ...row, adjusted: p, ...wordFor(row, p, threshold, alpha) };
  });
}

/** 1 − level without what rounding adds: 0.05 at 0.95, which 1 − 0.95 is not. */
export function thresholdOf(level: number): number {
  return Number((1 - level).toPrecision(9));
}

/**
 * better or worse: the corrected p value is below the threshold, the interval of the difference leaves out 0, and the
 * direction says which. Otherwise too little data: so few units that no p value could get there, no interval since too
 * many resamples are undefined, or a difference that is at least small while fewer units were there than it takes to
 * show it. Otherwise no difference was shown.
 */
function wordFor(
  row: Row,
  adjusted: number | null,
  threshold: number,
  alpha: number,
): { verdict: ComparisonVerdict; needed: number | null } {
  const { difference, units } = row;
  const { standardised } = row.effect;
  const needed = neededPairs(standardised, { alpha });
  if (difference === null || adjusted === null) return { verdict: 'too little data', needed: null };
  if (adjusted < threshold && leavesOutZero(row)) {
    const better = improvement(row, row.baseline ?? 0, row.other ?? 0) > 0;
    return { verdict: better ? 'better' : 'worse', needed };
  }
  if (2 ** (1 - units) > alpha) return { verdict: 'too little data', needed: needed ?? leastUnits(alpha) };
  // Too many resamples have no value: what is there cannot carry a verdict.
  if (row.interval === null && !row.constant) return { verdict: 'too little data', needed };
  const large = standardised !== null && Math.abs(standardised) >= SMALL;
  return { verdict: large && needed !== null && needed > units ? 'too little data' : 'no difference shown', needed };
}

/** Also where every resample gave the same difference, and it is one. */
export function leavesOutZero({ interval, constant, difference }: PairedDifference): boolean {
  if (interval === null) return constant && difference !== 0;
  return interval.low > 0 || interval.high < 0;
}

/** The fewest units with which a p value can get below the threshold at all: 2 of the 2ⁿ swaps are the most extreme. */
function leastUnits(alpha: number): number {
  return Math.ceil(1 - Math.log2(alpha));
}
