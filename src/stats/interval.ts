import type { Sureness } from '../measure/results.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { percentile } from '../measure/numpy.ts';
import type { ResampledValues } from './resample.ts';

export type IntervalMethod = 'percentile' | 'bca';

/** Of the resamples, one in twenty may be undefined: with more, what is left says little about the value. */
export const UNDEFINED_SHARE = 0.05;
/** Why a mean over labels is undefined in a resample. */
export const LABEL_MISSING = 'a label of the mean is in too few cases';
/** With fewer units than this, resampling sees too little of how they vary, and intervals come out too narrow. */
export const FEW_UNITS = 20;
/** Values as far apart as this much of their size are the same value, rounded differently. */
export const ROUNDING = 1e-12;

/**
 * The interval of a value from the values of resamples. Percentile: the middle `level` of them (Efron 1979). BCa: the
 * same with its ends moved for bias and skewness (Efron 1987), for which the value without each unit in turn is needed.
 * None where resampling cannot tell: all values equal, more than one in twenty resamples undefined, or so few resamples
 * that not one lies beyond each end. The values are sorted in place.
 */
export function intervalFrom(
  resampled: Pick<ResampledValues, 'values' | 'undefined'> & { readonly why?: string | undefined },
  value: number,
  level: number,
  method: IntervalMethod,
  withoutEach: () => readonly number[],
): Sureness {
  const { values } = resampled;
  const drawn = values.length + resampled.undefined;
  const wanted = fewestResamples(level);
  if (drawn < wanted)
    return none(
      `${drawn === 1 ? '1 resample is' : `${drawn} resamples are`} too few to find the ends of a level of ${level}: ${wanted} or more are needed`,
    );
  if (resampled.undefined > UNDEFINED_SHARE * drawn)
    return none(
      `it is undefined in ${resampled.undefined} of ${drawn} resamples: ${resampled.why ?? 'too few units have anything to measure'}`,
    );
  values.sort();
  if (isFlat(values)) return none('every resample gave the same value: these cases cannot show how much it varies');
  const [low, high] = method === 'percentile' ? ends(level) : (bcaEnds(values, value, level, withoutEach()) ?? []);
  if (low === undefined || high === undefined)
    return none(
      'BCa has no ends here: every resample lies on one side of the value, or it is too skewed for the level',
    );
  return {
    interval: {
      low: percentile(values, low),
      high: percentile(values, high),
      level,
      method: method === 'percentile' ? 'bootstrap-percentile' : 'bootstrap-bca',
    },
    noInterval: null,
  };
}

/** 2 / (1 − level), rounded up: with fewer resamples than that, less than one lies beyond each end. 40 for 0.95. */
function fewestResamples(level: number): number {
  return Math.ceil(2 / (1 - level) - ROUNDING / (1 - level));
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
function bcaEnds(
  sorted: Float64Array,
  value: number,
  level: number,
  withoutEach: readonly number[],
): [number, number] | null {
  const z0 = normalQuantile(shareBelow(sorted, value));
  if (!Number.isFinite(z0)) return null;
  const a = acceleration(withoutEach);
  const moved = ends(level).map((share) => {
    const z = z0 + normalQuantile(share);
    // At 0 and beyond the ends would change places: the level is too high for so skewed a value.
    return 1 - a * z > 0 ? normalCdf(z0 + z / (1 - a * z)) : null;
  });
  const [low = null, high = null] = moved;
  return low === null || high === null ? null : [low, high];
}

/** Σ off³ / (6 (Σ off²)^1.5), off being how far the value without a unit lies below the mean of these values. */
function acceleration(withoutEach: readonly number[]): number {
  const mean = withoutEach.reduce((sum, one) => sum + one, 0) / withoutEach.length;
  const largest = withoutEach.reduce((most, one) => Math.max(most, Math.abs(mean - one)), 0);
  // Values that differ by rounding only would otherwise pass for a skewness of 1 / (6 √n), either way.
  if (!(largest > ROUNDING * Math.abs(mean))) return 0;
  let squares = 0;
  let cubes = 0;
  for (const one of withoutEach) {
    // In units of the largest, so that no cube leaves the range of a double.
    const off = (mean - one) / largest;
    squares += off * off;
    cubes += off * off * off;
  }
  return cubes / (6 * squares ** 1.5);
}

/** Whether sorted values are one value but for rounding. */
function isFlat(sorted: Float64Array): boolean {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return most - least <= ROUNDING * Math.max(Math.abs(least), Math.abs(most));
}

function shareBelow(sorted: Float64Array, value: number): number {
  // F1 of the same worth can differ in its last bit: that is a tie, not a resample below.
  const near = ROUNDING * Math.abs(value);
  let below = 0;
  let equal = 0;
  for (const one of sorted) {
    if (one < value - near) below += 1;
    else if (one <= value + near) equal += 1;
    else break;
  }
  return (below + equal / 2) / sorted.length;
}
