import type { Measure, Range } from '../measure/measure.ts';
import { cubeRoot, exp, log, power } from './double-double.ts';
import { ROUNDING } from './interval.ts';
import type { JackknifeEstimate } from './jackknife.ts';
import { studentPoint } from './repeatability.ts';
import { wilsonEnds } from './wilson.ts';

/** Interval of one estimate; null if its units cannot show how much it varies. */
export type EstimateLimits = Limits | null;

type Limits = readonly [low: number, high: number];

/**
 * Wilson's interval with the effective sample size n = p (1 − p) / variance, p being the value as a share of its range
 * (Korn and Graubard 1998). At an end of the range the variance is 0: n is then the number of units. An F1 is 2p / (1 + p)
 * of the share p of hits among all items, so n is half the units at 0 and twice the units at 1: the ends are those of p,
 * turned round. Others that are no share get half the units at 0, to be safe. Measures whose range has no two ends get
 * `studentLimits`.
 * Example: 8 of 8 units right, quantile 1.96: 0.676 to 1.
 */
export function wilsonLimits(
  estimate: JackknifeEstimate,
  quantile: number,
  level: number,
  { proportion, doubledOdds = false }: Pick<Measure, 'proportion' | 'doubledOdds'>,
): EstimateLimits {
  const { value, range, units, variance } = estimate;
  const [least, most] = range;
  if (least === null || most === null) return studentLimits(estimate, level);
  const size = most - least;
  const share = (value - least) / size;
  if (variance === 0 && share !== 0 && share !== 1) return null;
  const atEnd = proportion ? units : share === 0 ? units / 2 : doubledOdds ? 2 * units : units;
  const n = variance === 0 ? atEnd : (share * (1 - share) * size ** 2) / variance;
  const [low, high] = wilsonEnds(share, n, quantile);
  return [least + low * size, least + high * size];
}

/** With fewer units that move a value, the rest may hide others like them. */
const FEWEST_DECIDING = 7;

/**
 * Studentised interval: value ± t · standard error on the scale of `scaleOf`, so that the ends stay within the range and
 * reach further towards the middle of it. t has min(units − 1, 3 · deciding + 4) degrees of freedom: few units that decide
 * a value show little of how it varies. At an end of a range with two ends, the other limit is the exact one for a
 * proportion without an exception (Clopper and Pearson 1934): a share of ((1 − level) / 2)^(1 / units). A value that fewer
 * than seven units decide is no surer than that: one missed span must not show more than none.
 * Without two ends, an end is also at least as far as `skewedEnds` has it.
 * Example: recall 0.9, standard error 0.05, t 2: logit 2.197 ± 2 · 0.05 / 0.09 = 0.748 to 0.965.
 */
export function studentLimits(estimate: JackknifeEstimate, level: number): EstimateLimits {
  const { value, range, units, variance, deciding } = estimate;
  const [least, most] = range;
  const exact = least === null || most === null ? null : (most - least) * (1 - power((1 - level) / 2, 1 / units));
  if (variance === 0) {
    if (exact === null || (value !== least && value !== most)) return null;
    return value === least ? [value, value + exact] : [value - exact, value];
  }
  const scale = scaleOf(range);
  const quantile = studentQuantile(level, degreesOf(units, deciding));
  const reach = quantile * Math.sqrt(variance) * scale.slope(value);
  const [low, high] = [scale.from(scale.to(value) - reach), scale.from(scale.to(value) + reach)];
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  if (exact === null) {
    const [lower, higher] = skewedEnds(estimate, quantile);
    return [Math.max(least ?? -Infinity, Math.min(low, lower)), Math.min(most ?? Infinity, Math.max(high, higher))];
  }
  if (deciding >= FEWEST_DECIDING) return [low, high];
  return [Math.min(low, most! - exact), Math.max(high, least! + exact)];
}

/** Few units show too little of a skew: it is taken 1 + 15 / units times as large. */
const HIDDEN_SKEW = 15;

/**
 * Ends for a skewed estimate: value − error · g⁻¹(±t), g⁻¹(x) = 3/k · (∛(1 + k (x − k/6)) − 1) (Hall 1992), k being the
 * skewness of the shifts. A mean of costs or times is too low more often than too high.
 * Example: mean 1, error 0.1, t 2, k 0.2: g⁻¹(2) = 1.75 and g⁻¹(−2) = −2.4, so 0.825 to 1.24.
 */
function skewedEnds({ value, units, variance, skewness }: JackknifeEstimate, quantile: number): Limits {
  const error = Math.sqrt(variance);
  const k = skewness * (1 + HIDDEN_SKEW / units);
  if (Math.abs(k) < ROUNDING) return [value - quantile * error, value + quantile * error];
  const turned = (x: number): number => (3 / k) * (cubeRoot(1 + k * (x - k / 6)) - 1);
  return [value - error * turned(quantile), value - error * turned(-quantile)];
}

/**
 * Studentised interval of a difference of two systems: value ± t · √(variance · (1 + 4 / deciding)), as if four more units
 * moved it, two each way, like those that do (after Agresti and Coull 1998, Agresti and Caffo 2000): few units that
 * differ show little of those that will. t as in `studentLimits`; the ends stay within the range.
 * Example: −0.02, standard error 0.01, 8 units that decide, t 2: −0.02 ± 2 · 0.01 · √1.5 = −0.0445 to 0.0045.
 */
export function differenceLimits(
  { value, range, units, variance, deciding }: JackknifeEstimate,
  level: number,
): EstimateLimits {
  if (variance === 0) return null;
  const reach = studentQuantile(level, degreesOf(units, deciding)) * Math.sqrt(variance * (1 + 4 / deciding));
  const [least, most] = range;
  return [Math.max(value - reach, least ?? -Infinity), Math.min(value + reach, most ?? Infinity)];
}

/** Degrees of freedom of t: few units that decide a value show little of how it varies. */
export function degreesOf(units: number, deciding: number): number {
  return Math.max(1, Math.min(units - 1, Math.round(3 * deciding) + 4));
}

interface Scale {
  to(value: number): number;
  from(place: number): number;
  /** Derivative of `to`. */
  slope(value: number): number;
}

/** The scale on which a value has no ends: the logit between two, the logarithm from one, else the value itself. */
function scaleOf([least, most]: Range): Scale {
  if (least !== null && most !== null)
    return {
      to: (value) => log((value - least) / (most - value)),
      from: (place) => least + (most - least) / (1 + exp(-place)),
      slope: (value) => (most - least) / ((value - least) * (most - value)),
    };
  const end = least ?? most;
  if (end === null) return { to: (value) => value, from: (place) => place, slope: () => 1 };
  const sign = least === null ? -1 : 1;
  return {
    to: (value) => sign * log(sign * (value - end)),
    from: (place) => end + sign * exp(sign * place),
    slope: (value) => 1 / Math.abs(value - end),
  };
}

const quantiles = new Map<string, number>();

/** Student's t that `level` of the distribution lies within; for whole degrees of freedom, 1 or more. */
export function studentQuantile(level: number, degrees: number): number {
  const key = `${level} ${degrees}`;
  const quantile = quantiles.get(key) ?? studentPoint(level, degrees);
  quantiles.set(key, quantile);
  return quantile;
}
