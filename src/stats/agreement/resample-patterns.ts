import { MersenneTwister } from '../mersenne-twister.ts';
import type { ResampleSettings } from '../resample-settings.ts';

/** What the resamples gave for one value. */
export interface Resampled {
  /** Of the resamples that have one. */
  readonly values: Float64Array;
  /** How many resamples have none. */
  readonly undefined: number;
}

/**
 * Draws as many items as there are, with replacement, again and again (Efron 1979), and hands on how often each pattern
 * came up. `valuesOf` writes its values into the list it is given, NaN where there is none; it is given the lists again
 * for each resample and must not keep them.
 */
export function resamplePatterns(
  times: Float64Array,
  columns: number,
  { resamples, seed }: ResampleSettings,
  valuesOf: (times: Float64Array, into: Float64Array) => void,
): Resampled[] {
  // Items of one pattern stand beside each other.
  const n = times.reduce((sum, one) => sum + one, 0);
  const items = new Float64Array(n);
  const random = new MersenneTwister(seed);
  const drawn = new Float64Array(times.length);
  const made = new Float64Array(columns);
  const kept = Array.from({ length: columns }, () => new Float64Array(resamples));
  const filled = new Int32Array(columns);
  for (let round = 0; round < resamples; round += 1) {
    items.fill(0);
    random.resample(items, n);
    for (let pattern = 0, item = 0; pattern < times.length; pattern += 1) {
      let sum = 0;
      for (const end = item + times[pattern]!; item < end; item += 1) sum += items[item]!;
      drawn[pattern] = sum;
    }
    valuesOf(drawn, made);
    for (let column = 0; column < columns; column += 1) {
      const value = made[column]!;
      if (Number.isNaN(value)) continue;
      kept[column]![filled[column]!] = value;
      filled[column]! += 1;
    }
  }
  return kept.map((values, column) => ({
    values: values.subarray(0, filled[column]),
    undefined: resamples - filled[column]!,
  }));
}
