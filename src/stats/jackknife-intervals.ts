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
import { percentileLimits } from './percentile-limits.ts';
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
 * method, since resampling a label that is perfect shows no uncertainty; and all of `studentised`, where percentiles of
 * numbers have those of the share of numbers up to them.
 */
export function isJackknifed({ labelMeasure, counters, percentile }: Measure, method: IntervalMethod): boolean {
  if (labelMeasure !== undefined) return true;
  return method === 'studentised' && (percentile !== undefined || !counters.some(isNumbers));
}

/** The interval of a measure of the whole or of a label: its own, or for a mean over labels that of its labels together. */
export function jackknifeInterval(table: UnitSums, all: ColumnSums, part: MeasuredPart, settings: Settings): Sureness {
  const { measure } = part;
  if (measure.percentile !== undefined) {
    const limits = percentileLimits(table, all, part, settings.level)?.limits ?? null;
    return limits === null ? none(noEnd(settings)) : sure(limits, 'studentised', settings.level);
  }
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
  if (part.measure.percentile !== undefined) {
    const [one, other] = [
      percentileLimits(a, allA, part, settings.level),
      percentileLimits(b, allB, part, settings.level),
    ];
    if (one?.limits == null || other?.limits == null) return none(noEnd(settings));
    const terms = [
      { weight: -1, estimate: one.estimate, limits: one.limits },
      { weight: 1, estimate: other.estimate, limits: other.limits },
    ];
    // Two terms only: no error of a sum is needed, and the shifts are of another scale.
    const limits = moverLimits(terms, 0, differenceRange(part.measure.range));
    return sure(limits, 'studentised-mover', settings.level);
  }
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

function noEnd({ unit = 'case' }: Settings): string {
  return `too few ${unit}s have numbers beyond it to show how far it may be`;
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
