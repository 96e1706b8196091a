import { extremes, percentiles } from './percentiles.ts';
import type { Sureness } from '../measure/results.ts';
import { power } from './double-double.ts';
import { normalCdf, normalQuantile } from './normal.ts';

export const INTERVAL_METHODS = ['percentile', 'bca', 'studentised'] as const;
export type IntervalMethod = (typeof INTERVAL_METHODS)[number];
/** How the values of resamples become an interval. */
export type ResamplingMethod = Exclude<IntervalMethod, 'studentised'>;

/** The method for measures that need resamples: `studentised` needs them for percentiles of numbers only. */
export function resamplingMethod(method: IntervalMethod): ResamplingMethod {
  return method === 'bca' ? method : 'percentile';
}

/** Of the resamples, one in twenty may be undefined: with more, what is left shows little about the value. */
export const UNDEFINED_SHARE = 0.05;
/** With fewer units than this, resampling sees too little of how they vary, and intervals come out too narrow. */
export const FEW_UNITS = 20;
/** Values as far apart as this much of their size are the same value, rounded differently. */
export const ROUNDING = 1e-12;

/**
 * The interval of a value from the values of resamples. Percentile: the middle `level` of them (Efron 1979). BCa: the
 * same with its ends moved for bias and skewness (Efron 1987), for which the value without each unit in turn is needed.
 * None if resampling is inconclusive: all values equal, more than one in twenty resamples undefined, or so few
 * resamples that not one lies beyond each end.
 */
export function intervalFrom(
  resampled: { readonly values: Float64Array; readonly undefined: number },
  value: number,
  level: number,
  method: ResamplingMethod,
  withoutEach: () => readonly number[],
): Sureness {
  const { values, undefined: missing } = resampled;
  const drawn = values.length + missing;
  // With fewer, less than one lies beyond each end: 40 for 0.95.
  const wanted = Math.ceil(2 / (1 - level) - ROUNDING / (1 - level));
  if (drawn < wanted)
    return none(
      `${drawn === 1 ? '1 resample is' : `${drawn} resamples are`} too few to find the ends of a level of ${level}: ${wanted} or more are needed`,
    );
  if (missing > UNDEFINED_SHARE * drawn)
    return none(`it is undefined in ${missing} of ${drawn} resamples: too few units have anything to measure`);
  const [least, most] = extremes(values);
  if (most - least <= ROUNDING * Math.max(Math.abs(least), Math.abs(most)))
    return none('every resample gave the same value: these cases cannot show how much it varies');
  const [low, high] = method === 'percentile' ? ends(level) : (bcaEnds(values, value, level, withoutEach()) ?? []);
  if (low === undefined || high === undefined)
    return none(
      'BCa has no ends here: every resample lies on one side of the value, or it is too skewed for the level',
    );
  const [from, to] = percentiles(values, [low, high], least, most);
  return { interval: { low: from!, high: to!, level, method: `bootstrap-${method}` }, noInterval: null };
}

export function none(why: string): Sureness {
  return { interval: null, noInterval: why };
}

/**
 * Shares below the two ends. As percentages they are the decimals that one writes for numpy, 2.5 and 97.5 for 0.95, not
 * the 2.5000000000000022 that 1 − 0.95 leads to.
 */
export function ends(level: number): [number, number] {
  const below = Number((50 * (1 - level)).toFixed(13));
  return [below / 100, Number((100 - below).toFixed(13)) / 100];
}

/**
 * BCa: with z0 the quantile of the share of resamples below the value (ties half) and a the skewness of the values
 * without each unit, an end at z goes to Φ(z0 + (z0 + z) / (1 − a (z0 + z))).
 */
function bcaEnds(values: Float64Array, value: number, level: number, withoutEach: readonly number[]): number[] | null {
  // F1 of the same worth can differ in its last bit: that is a tie, not a resample below.
  const near = ROUNDING * Math.abs(value);
  const below = values.filter((one) => one < value - near).length;
  const equal = values.filter((one) => one >= value - near && one <= value + near).length;
  const z0 = normalQuantile((below + equal / 2) / values.length);
  const a = acceleration(withoutEach);
  const moved = ends(level).map((share) => z0 + normalQuantile(share));
  // At 0 and beyond the ends would change places: the level is too high for so skewed a value.
  if (!Number.isFinite(z0) || moved.some((z) => !(1 - a * z > 0))) return null;
  return moved.map((z) => normalCdf(z0 + z / (1 - a * z)));
}

/** Σ off³ / (6 (Σ off²)^1.5), off being how far the value without a unit lies below the mean of these values. */
function acceleration(withoutEach: readonly number[]): number {
  const mean = withoutEach.reduce((sum, one) => sum + one, 0) / withoutEach.length;
  const largest = withoutEach.reduce((most, one) => Math.max(most, Math.abs(mean - one)), 0);
  // Values that differ by rounding only would otherwise pass for a skewness of 1 / (6 √n), either way.
  if (!(largest > ROUNDING * Math.abs(mean))) return 0;
  let [squares, cubes] = [0, 0];
  for (const one of withoutEach) {
    // In units of the largest, so that no cube leaves the range of a double.
    const off = (mean - one) / largest;
    squares += off * off;
    cubes += off * off * off;
  }
  return cubes / (6 * power(squares, 1.5));
}
