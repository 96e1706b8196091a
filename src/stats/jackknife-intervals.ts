import { isNumbers, type Measure } from '../measure/measure.ts';
import type { Sureness } from '../measure/results.ts';
import { type ColumnSums, sumsAt, totals, type UnitSums, unitsWith } from '../measure/unit-sums.ts';
import {
  differenceLimits,
  type EstimateLimits,
  studentLimits,
  studentQuantile,
  wilsonLimits,
} from './estimate-limits.ts';
import { type IntervalMethod, none } from './interval.ts';
import { differenceOfEstimates, differenceRange, type JackknifeEstimate, jackknife } from './jackknife.ts';
import { moverLimits, type Term } from './mover.ts';
import type { MeasuredPart } from './unit-by-unit.ts';

interface Settings {
  readonly level: number;
  readonly method: IntervalMethod;
  /** What a unit is called. */
  readonly unit?: string;
}

/** A label in fewer units than this shows too little of itself: intervals of the mean would hold the truth too rarely. */
const FEWEST_OF_LABEL = 3;

/**
 * True for intervals that come from leaving out units, not from resamples: those of means over labels, whatever the
 * method, since resampling a label that is perfect shows no uncertainty; and all of `studentised`, except percentiles of
 * numbers, for which leaving out units fails.
 */
export function isJackknifed({ labelMeasure, counters }: Measure, method: IntervalMethod): boolean {
  return labelMeasure !== undefined || (method === 'studentised' && !counters.some(isNumbers));
}

/** The interval of a measure of the whole or of a label: its own, or for a mean over labels that of its labels together. */
export function jackknifeInterval(table: UnitSums, all: ColumnSums, part: MeasuredPart, settings: Settings): Sureness {
  const { measure } = part;
  if (measure.labelMeasure === undefined) {
    const estimate = jackknife(table, all, part);
    const limits = estimate && studentLimits(estimate, settings.level);
    return limits === null ? none(noVariance('it')) : sure(limits, 'studentised', settings.level);
  }
  const quantile = quantileOf(part.measure, settings.level, [table]);
  const terms = labelTerms(table, all, part, { ...settings, quantile, weight: 1 });
  if (typeof terms === 'string') return none(terms);
  return sure(moverLimits(terms, quantile, part.measure.range), nameOf(settings), settings.level);
}

/** The interval of b − a for aligned tables of the same units. */
export function jackknifeDifference(a: UnitSums, b: UnitSums, part: MeasuredPart, settings: Settings): Sureness {
  const [allA, allB] = [totals(a), totals(b)];
  if (part.measure.labelMeasure === undefined) {
    const [one, other] = [jackknife(a, allA, part), jackknife(b, allB, part)];
    const limits = one && other && differenceLimits(differenceOfEstimates(one, other), settings.level);
    return limits === null ? none(noVariance('it')) : sure(limits, 'studentised', settings.level);
  }
  const quantile = quantileOf(part.measure, settings.level, [a, b]);
  const before = labelTerms(a, allA, part, { ...settings, quantile, weight: -1 });
  const after = labelTerms(b, allB, part, { ...settings, quantile, weight: 1 });
  if (typeof before === 'string') return none(before);
  if (typeof after === 'string') return none(after);
  const range = differenceRange(part.measure.range);
  return sure(moverLimits([...before, ...after], quantile, range), nameOf(settings), settings.level);
}

/** Student's t for the units that have anything to do with the measure. */
function quantileOf(measure: Measure, level: number, tables: readonly UnitSums[]): number {
  const units = Math.max(...tables.map((table) => unitsWith(table, measure)));
  return studentQuantile(level, Math.max(1, units - 1));
}

function nameOf({ method }: Settings): string {
  return method === 'studentised' ? 'studentised-mover' : 'wilson-mover';
}

function sure([low, high]: readonly [number, number], method: string, level: number): Sureness {
  return { interval: { low, high, level, method }, noInterval: null };
}

function noVariance(what: string): string {
  return `${what} does not change without any one case: these cases cannot show how much it varies`;
}

/** One term for each label that enters a mean over labels. */
function labelTerms(
  table: UnitSums,
  all: ColumnSums,
  { measure }: MeasuredPart,
  { level, method, unit = 'case', quantile, weight }: Settings & Readonly<Record<'quantile' | 'weight', number>>,
): Term[] | string {
  const labelMeasure = measure.labelMeasure!;
  const present = new Set(
    sumsAt(table, all)
      .labels()
      .map(({ label }) => label),
  );
  const estimates = table.labels.flatMap((label, at): [string, JackknifeEstimate][] => {
    const estimate = present.has(label) ? jackknife(table, all, { measure: labelMeasure, label: at }) : null;
    return estimate === null ? [] : [[label, estimate]];
  });
  const terms: Term[] = [];
  for (const [label, estimate] of estimates) {
    const { units } = estimate;
    if (units < FEWEST_OF_LABEL)
      return `label ${label} is in ${units === 1 ? `one ${unit}` : `${units} ${unit}s`} only: ${FEWEST_OF_LABEL} or more are needed`;
    const limits: EstimateLimits =
      method === 'studentised' ? studentLimits(estimate, level) : wilsonLimits(estimate, quantile, level, labelMeasure);
    if (limits === null) return noVariance(`label ${label}`);
    terms.push({ weight: weight / estimates.length, estimate, limits });
  }
  return terms;
}
