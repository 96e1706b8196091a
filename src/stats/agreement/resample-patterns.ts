import { ResampledValues, resampleTimes } from '../resample.ts';
import type { ResampleSettings } from '../resample-settings.ts';

/**
 * Draws as many items as there are, with replacement, again and again (Efron 1979), and hands on how often each pattern
 * came up. `valuesOf` writes its values into the list it is given, NaN where there is none; it is given the lists again
 * for each resample and must not keep them.
 */
export function resamplePatterns(
  times: Float64Array,
  columns: number,
  settings: ResampleSettings,
  valuesOf: (times: Float64Array, into: Float64Array) => void,
): ResampledValues[] {
  // Items of one pattern stand beside each other.
  const n = times.reduce((sum, one) => sum + one, 0);
  const drawn = new Float64Array(times.length);
  const made = new Float64Array(columns);
  const found = Array.from({ length: columns }, () => new ResampledValues(settings.resamples));
  for (const items of resampleTimes(n, settings)) {
    for (let pattern = 0, item = 0; pattern < times.length; pattern += 1) {
      let sum = 0;
      for (const end = item + times[pattern]!; item < end; item += 1) sum += items[item]!;
      drawn[pattern] = sum;
    }
    valuesOf(drawn, made);
    for (let column = 0; column < columns; column += 1) found[column]!.add(made[column]!);
  }
  return found;
}
