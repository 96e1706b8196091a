import { pairwiseSum, percentile, percentileOf } from '../measure/numpy.ts';
import type { Sureness } from '../measure/results.ts';
import { intervalFrom, none } from './interval.ts';
import { ResampledValues, resampleTimes } from './resample.ts';
import type { ResampleSettings } from './resample-settings.ts';

/** Numbers of all cases together: how many, their ends, mean and percentiles, each percentile with how sure it is. */
export interface PooledDistribution {
  readonly count: number;
  /** Cases that have any. */
  readonly cases: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** `share`: what lies below it, 0.95 for p95. */
  readonly percentiles: readonly (Sureness & { readonly share: number; readonly value: number })[];
}

/**
 * The distribution of numbers that come in cases (latencies of calls, sizes of flushes), pooled; percentiles interpolate
 * linearly. Undefined (null) without a number. The intervals draw cases, not numbers, since those of one case are alike:
 * each resample pools the numbers of the cases it drew. Example: [[1, 2], [3]]: count 3, median 2.
 */
export function pooledDistribution(
  byCase: readonly (readonly number[])[],
  shares: readonly number[],
  settings: ResampleSettings,
): PooledDistribution | null {
  const all = byCase
    .flatMap((own, at) => own.map((value) => ({ value, at })))
    .sort((a, b) => a.value - b.value || a.at - b.at);
  if (all.length === 0) return null;
  const sorted = Float64Array.from(all, ({ value }) => value);
  const owner = Int32Array.from(all, ({ at }) => at);
  const resampled = shares.map(() => new ResampledValues(settings.resamples));
  const drawn = new Float64Array(all.length);
  for (const times of resampleTimes(byCase.length, settings)) {
    for (let at = 0; at < owner.length; at += 1) drawn[at] = times[owner[at]!]!;
    const isEmpty = drawn.every((one) => one === 0);
    for (const [at, share] of shares.entries())
      resampled[at]!.add(isEmpty ? null : percentileOf({ values: sorted, times: drawn }, share));
  }
  const cases = byCase.filter((own) => own.length > 0).length;
  return {
    count: sorted.length,
    cases,
    min: sorted[0]!,
    max: sorted.at(-1)!,
    mean: pairwiseSum(byCase.flat()) / sorted.length,
    percentiles: shares.map((share, at) => {
      const value = percentile(sorted, share);
      const sure =
        cases < 2
          ? none('only one case has anything to measure: nothing to resample')
          : intervalFrom(resampled[at]!, value, settings.level, 'percentile', () => []);
      return { share, value, ...sure };
    }),
  };
}
