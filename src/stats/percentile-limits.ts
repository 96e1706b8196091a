import { isNumbers, type Measure } from '../measure/measure.ts';
import { percentileOf } from '../measure/numpy.ts';
import { type ColumnSums, sumsAt, type UnitSums } from '../measure/unit-sums.ts';
import { degreesOf, type EstimateLimits, studentQuantile } from './estimate-limits.ts';
import { estimateOfShifts, type JackknifeEstimate } from './jackknife.ts';
import type { MeasuredPart } from './unit-by-unit.ts';

/** A percentile of pooled numbers; the shifts are those of the share of numbers up to it. */
export interface PercentileEstimate {
  readonly estimate: Pick<JackknifeEstimate, 'value' | 'shifts'>;
  /** null if the numbers do not reach far enough on one side. */
  readonly limits: EstimateLimits;
}

/**
 * Woodruff's interval of a percentile of pooled numbers (1952): the percentiles at q ± t · √(q (1 − q) / n), n being the
 * effective number of independent numbers, p (1 − p) / variance of the share p of numbers up to the percentile, over units.
 * Without a share below 1, or above 0, the interval has no such end: the largest of 30 numbers is below the true 95th
 * percentile in 0.95³⁰ = 21 of 100 samples. t as in `studentLimits`.
 * Example: p 50 of 100 units of one number each: from the 40th percentile to the 60th.
 */
export function percentileLimits(
  table: UnitSums,
  all: ColumnSums,
  { measure, label }: MeasuredPart,
  level: number,
): PercentileEstimate | null {
  const { value } = measure.value(sumsAt(table, all, label));
  const q = measure.percentile;
  const counter = measure.counters.find(isNumbers);
  if (value === null || q === undefined || counter === undefined) return null;
  const { estimate, n } = shareUpTo(table, counter.key, value, measure);
  const { value: share, variance, deciding, units } = estimate;
  if (variance === 0) return { estimate: { value, shifts: estimate.shifts }, limits: null };
  const effective = Math.min(n, (share * (1 - share)) / variance);
  const reach = studentQuantile(level, degreesOf(units, deciding)) * Math.sqrt((q * (1 - q)) / effective);
  const distribution = sumsAt(table, all, label).numbers(counter.key);
  const ends = [q - reach, q + reach].map((place) =>
    place <= 0 || place >= 1 ? null : percentileOf(distribution, place).value,
  );
  const [low, high] = ends;
  return {
    estimate: { value, shifts: estimate.shifts },
    limits: low == null || high == null ? null : [low, high],
  };
}

/** Share of numbers up to a value, with the variance of the ratio over units; `n` is how many numbers there are. */
function shareUpTo(table: UnitSums, key: string, value: number, { range }: Measure) {
  const { from, values } = table.numbers.get(key)!;
  const [upTo, numbers] = [new Float64Array(table.units.length), new Float64Array(table.units.length)];
  for (const [at, number] of values.entries()) {
    const { units, values: times } = table.columns[from + at]!;
    for (const [place, unit] of units.entries()) {
      numbers[unit]! += times[place]!;
      if (number <= value) upTo[unit]! += times[place]!;
    }
  }
  const sum = (list: Float64Array): number => list.reduce((total, one) => total + one, 0);
  const [n, below] = [sum(numbers), sum(upTo)];
  const share = below / n;
  // The share without each unit.
  const shifts = numbers.map((own, unit) => (own === n ? 0 : share - (below - upTo[unit]!) / (n - own)));
  const units = numbers.reduce((count, own) => count + Number(own > 0), 0);
  return { estimate: estimateOfShifts(share, range, units, shifts), n };
}
