import { isRecord } from '../data/record-fields.ts';
import { improvement, type Measure } from '../measure/measure.ts';
import { holm } from '../stats/holm.ts';
import { USUAL_GROUPS_ABOVE } from '../stats/in-groups.ts';
import { INTERVAL_METHODS } from '../stats/interval.ts';
import type { PairedSettings } from '../stats/paired-comparison.ts';
import type { IntervalChoice, PairedDifference } from '../stats/paired-difference.ts';
import { neededPairs } from '../stats/power.ts';
import { resampleSettings, type ResampleSettings } from '../stats/resample-settings.ts';
import type { ComparisonVerdict, MeasureComparison } from './comparison.ts';

/** Below this a standardised difference is less than "small" (Cohen 1988): more cases would be for a difference of no weight. */
const SMALL = 0.2;

type Outcome = Pick<MeasureComparison, 'adjusted' | 'verdict' | 'needed'>;
type Row = Omit<MeasureComparison, keyof Outcome | 'slice' | 'family'>;
/** One measure of one slice: `system` beside the system `from`. */
export type ComparedPair = Row & Pick<MeasureComparison, 'slice' | 'family'> & { readonly from: number };

/** How differences are resampled: by the recipe's `interval`, if it has one, unless the call overrides it. */
export function pairedSettings(
  interval: unknown,
  given: Partial<IntervalChoice & ResampleSettings> = {},
): PairedSettings {
  const own = isRecord(interval) ? interval : {};
  const { method, groupsAbove } = own;
  const number = (key: keyof ResampleSettings): number | undefined => {
    const usual = own[key];
    return given[key] ?? (typeof usual === 'number' ? usual : undefined);
  };
  return {
    ...resampleSettings({ resamples: number('resamples'), level: number('level'), seed: number('seed') }),
    method: given.method ?? INTERVAL_METHODS.find((name) => name === method) ?? 'percentile',
    ...(given.bounds === undefined ? {} : { bounds: given.bounds }),
    groupsAbove: groupsAbove === null || typeof groupsAbove === 'number' ? groupsAbove : USUAL_GROUPS_ABOVE,
  };
}

/** What a row of a comparison shows of its measure. */
export function aboutMeasure({ name, direction, best, meanOfCases }: Measure) {
  return {
    name,
    direction,
    ...(best === undefined ? {} : { best }),
    ...(meanOfCases === true ? { meanOfCases } : {}),
  };
}

/** What one row of a family comes to. */
export type ComparedFamily<R> = R & Outcome;

/** Random swaps per test of a family, at least. */
const SWAPS_PER_TEST = 20;

/**
 * Random swaps that so many tests need: p is never below 1 / (1 + swaps), and the correction multiplies that by the
 * number of tests.
 *
 * @example swapsFor(600, { level: 0.95, resamples: 10_000 }) // 12000
 */
export function swapsFor(tests: number, { level, resamples }: Pick<ResampleSettings, 'level' | 'resamples'>): number {
  return Math.max(resamples, SWAPS_PER_TEST * tests, Math.ceil(tests / thresholdOf(level)));
}

/** False for constants, for twins and without a p value. */
export function isTest({ permutation, fixed, sameAs }: Row): boolean {
  return permutation.pValue !== null && !fixed && sameAs === undefined;
}

/**
 * Holm's correction over the tests among rows of one family. A twin has the p value of the test that it is; a constant
 * has 1, which no correction changes.
 */
export function correctedValues(rows: readonly (Row & Partial<ComparedPair>)[]): (number | null)[] {
  const keyOf = ({ from, system, slice }: Partial<ComparedPair>, name: string): string =>
    JSON.stringify([from, system, slice, name]);
  const adjusted = holm(rows.map((row) => (isTest(row) ? row.permutation.pValue : null)));
  const byMeasure = new Map(rows.map((row, at) => [keyOf(row, row.name), adjusted[at] ?? null]));
  return rows.map((row, at) => {
    if (row.sameAs !== undefined) return byMeasure.get(keyOf(row, row.sameAs)) ?? null;
    return isTest(row) ? adjusted[at]! : row.permutation.pValue;
  });
}

/** The rows of one family with corrected p values and what each comes to in one word, and the number of tests. */
export function judgedFamily<R extends Row & Partial<ComparedPair>>(
  rows: readonly R[],
  { level }: Pick<ResampleSettings, 'level'>,
): { rows: ComparedFamily<R>[]; tests: number } {
  const adjusted = correctedValues(rows);
  const tests = rows.filter(isTest).length;
  const threshold = thresholdOf(level);
  // What one test of the family must reach at worst.
  const alpha = threshold / Math.max(1, tests);
  return { rows: rows.map((row, at) => ({ ...row, ...outcomeOf(row, adjusted[at]!, threshold, alpha) })), tests };
}

/** The same for rows of several families, each corrected by itself. */
export function judgedFamilies(
  rows: readonly ComparedPair[],
  settings: Pick<ResampleSettings, 'level'>,
): ComparedFamily<ComparedPair>[] {
  const judged = new Map<ComparedPair, ComparedFamily<ComparedPair>>();
  for (const family of Map.groupBy(rows, (row) => row.family).values()) {
    const { rows: own } = judgedFamily(family, settings);
    for (const [at, row] of family.entries()) judged.set(row, own[at]!);
  }
  return rows.map((row) => judged.get(row)!);
}

/** 1 − level without what rounding adds: 0.05 at 0.95, which 1 − 0.95 is not. */
export function thresholdOf(level: number): number {
  return Number((1 - level).toPrecision(9));
}

/**
 * better or worse: the corrected p value is below the threshold, the interval of the difference leaves out 0, and the
 * direction is which. Otherwise too little data: so few units that no p value could get there, no interval since too
 * many resamples are undefined, or a difference that is at least small while fewer units were there than it takes to
 * show it. Otherwise no difference was shown.
 */
function outcomeOf(row: Row, adjusted: number | null, threshold: number, alpha: number): Outcome {
  const { difference, units, effect } = row;
  const needed = neededPairs(effect.standardised, { alpha });
  const outcome = (verdict: ComparisonVerdict, cases = needed): Outcome => ({ adjusted, verdict, needed: cases });
  if (difference === null || adjusted === null) return outcome('too little data', null);
  if (adjusted < threshold && leavesOutZero(row))
    return outcome(improvement(row, row.baseline ?? 0, row.other ?? 0) > 0 ? 'better' : 'worse');
  // The fewest units with which a p value can get below it at all: 2 of the 2ⁿ swaps are the most extreme.
  if (2 ** (1 - units) > alpha) return outcome('too little data', needed ?? Math.ceil(1 - Math.log2(alpha)));
  // Too many resamples have no value: what is there cannot carry a verdict.
  if (row.interval === null && !row.constant) return outcome('too little data');
  const isLarge = Math.abs(effect.standardised ?? 0) >= SMALL;
  return outcome(isLarge && needed !== null && needed > units ? 'too little data' : 'no difference shown');
}

/** Also where every resample gave the same difference, and it is one. */
export function leavesOutZero(row: Pick<PairedDifference, 'interval' | 'constant' | 'difference'>): boolean {
  if (row.interval === null) return row.constant && row.difference !== 0;
  return row.interval.low > 0 || row.interval.high < 0;
}
