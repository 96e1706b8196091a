import { pairwiseSum, percentile } from '../measure/numpy.ts';
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
  for (const times of resampleTimes(byCase.length, settings)) {
    let size = 0;
    for (let at = 0; at < owner.length; at += 1) size += times[owner[at]!]!;
    for (const [at, share] of shares.entries())
      resampled[at]!.add(size === 0 ? null : weighted(sorted, owner, times, size, share));
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

/** The percentile of the sorted values, each taken as often as its case was drawn. */
function weighted(sorted: Float64Array, owner: Int32Array, times: Float64Array, size: number, share: number): number {
  const place = share * (size - 1);
  const below = Math.floor(place);
  let seen = 0;
  let low = Number.NaN;
  for (let at = 0; at < sorted.length; at += 1) {
    seen += times[owner[at]!]!;
    if (seen <= below) continue;
    if (Number.isNaN(low)) low = sorted[at]!;
    if (seen > below + 1 || below + 1 >= size) return low + (sorted[at]! - low) * (place - below);
  }
  return low;
}
