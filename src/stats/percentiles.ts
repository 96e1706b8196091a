import { percentile, percentileBy } from '../measure/numpy.ts';

const STEPS = 1024;

/**
 * Percentiles of values in any order, to the last bit those of the sorted values: how many are in each of 1,024 equal
 * steps from `least` to `most` shows which of them are next to a percentile, and those alone are sorted.
 */
export function percentiles(values: Float64Array, shares: readonly number[], least: number, most: number): number[] {
  const scale = (STEPS - 1) / (most - least);
  // Infinite values, or steps that are too small for a double.
  if (!(scale > 0 && scale < Infinity)) return shares.map((share) => percentile(values.toSorted(), share));
  /** How many values are in earlier steps. Of two values the larger is never in an earlier one. */
  const before = countsBefore(values, least, scale);
  let [from, step] = [0, new Float64Array()];
  const sortedAt = (place: number): number => {
    if (place < from || place >= from + step.length) {
      const at = before.findLastIndex((count) => count <= place);
      from = before[at]!;
      step = valuesOfStep(values, least, scale, at, before[at + 1]! - from).sort();
    }
    return step[place - from]!;
  };
  return shares.map((share) => percentileBy(values.length, share, sortedAt));
}

/** The least and the most of the values. */
export function extremes(values: Float64Array): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]!;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

function countsBefore(values: Float64Array, least: number, scale: number): Int32Array {
  const before = new Int32Array(STEPS + 1);
  for (let at = 0; at < values.length; at += 1) before[1 + (((values[at]! - least) * scale) | 0)]! += 1;
  for (let step = 0; step < STEPS; step += 1) before[step + 1]! += before[step]!;
  return before;
}

function valuesOfStep(values: Float64Array, least: number, scale: number, step: number, count: number) {
  const own = new Float64Array(count);
  for (let at = 0, filled = 0; filled < count; at += 1) {
    const value = values[at]!;
    if ((((value - least) * scale) | 0) === step) own[filled++] = value;
  }
  return own;
}
