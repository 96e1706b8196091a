import type { Range } from '../measure/measure.ts';
import { type ColumnSums, sumsAt, type UnitSums, unitsWith } from '../measure/unit-sums.ts';
import { power } from './double-double.ts';
import { ROUNDING } from './interval.ts';
import { type MeasuredPart, withoutEachUnit } from './unit-by-unit.ts';

/** A value and how much each unit moves it. */
export interface JackknifeEstimate {
  readonly value: number;
  readonly range: Range;
  /** Units that have anything to do with the value. */
  readonly units: number;
  /** For every unit of the table, how far the value moves without the unit; their mean is 0. */
  readonly shifts: Float64Array;
  /** Squared standard error: (n − 1) / n · Σ shift². */
  readonly variance: number;
  /** Effective number of units that move the value: (Σ shift²)² / Σ shift⁴. One error in 100 cases: about 1. */
  readonly deciding: number;
  /** Σ shift³ / (Σ shift²)^1.5: above 0 if few units raise the value by much. For a mean, the skewness / √units. */
  readonly skewness: number;
}

/**
 * Estimates the standard error of a measure by leaving out each unit in turn (Quenouille 1956, Tukey 1958). null if the
 * measure is undefined. A unit without which the measure is undefined counts as moving nothing.
 * Example: hits 1, 0, 1, 1 of one gold item each: recall 0.75 with variance 0.75 · 0.25 / 3 = 0.0625.
 */
export function jackknife(table: UnitSums, all: ColumnSums, part: MeasuredPart): JackknifeEstimate | null {
  const { measure, label } = part;
  const { value } = measure.value(sumsAt(table, all, label));
  if (value === null) return null;
  const shifts = Float64Array.from(withoutEachUnit(table, all, part), (without) => value - (without ?? value));
  return estimateOfShifts(value, measure.range, unitsWith(table, measure, label), shifts);
}

/** The difference other − one of two estimates over the same units. */
export function differenceOfEstimates(one: JackknifeEstimate, other: JackknifeEstimate): JackknifeEstimate {
  const range = differenceRange(one.range);
  const shifts = other.shifts.map((shift, at) => shift - one.shifts[at]!);
  return estimateOfShifts(other.value - one.value, range, Math.max(one.units, other.units), shifts);
}

/** The range of a difference of two values. */
export function differenceRange([least, most]: Range): Range {
  return least === null || most === null ? [null, null] : [least - most, most - least];
}

/** The estimate that these shifts make; they are centred in place. */
export function estimateOfShifts(value: number, range: Range, units: number, shifts: Float64Array): JackknifeEstimate {
  const n = shifts.length;
  const mean = shifts.reduce((sum, shift) => sum + shift, 0) / n;
  let [largest, squares, cubes, fourths] = [0, 0, 0, 0];
  for (let at = 0; at < n; at += 1) {
    shifts[at]! -= mean;
    const square = shifts[at]! ** 2;
    largest = Math.max(largest, square);
    squares += square;
    cubes += square * shifts[at]!;
    fourths += square * square;
  }
  // Shifts by rounding only are no variance.
  if (largest <= (ROUNDING * Math.max(1, Math.abs(value))) ** 2)
    return { value, range, units, shifts: shifts.fill(0), variance: 0, deciding: 0, skewness: 0 };
  const [deciding, skewness] = [squares ** 2 / fourths, cubes / power(squares, 1.5)];
  return { value, range, units, shifts, variance: ((n - 1) / n) * squares, deciding, skewness };
}
