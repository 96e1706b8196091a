import { scaleLinear } from 'd3-scale';

import { count } from '../../text/figures.ts';

export type Ends = readonly [number, number];

/** Even values of an axis, all multiples of `step`. */
export interface Ticks {
  readonly step: number;
  readonly values: readonly number[];
  readonly ends: Ends;
}

/** Larger numbers are no size that a figure could show. */
const LARGEST = 1e15;

const NO_BOUNDS: Ends = [-Infinity, Infinity];

/** Whether a number can be put on an axis. */
export function drawable(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && Math.abs(value) <= LARGEST;
}

/**
 * About `wanted` steps of 1, 2 or 5 times a power of ten, the first and the last tick at the ends of the axis. Ends that
 * are equal, or nearly so, get room on both sides, as far as the bounds of what is shown allow.
 *
 * @example niceTicks(0, 0.23, 4).values // [0, 0.05, 0.1, 0.15, 0.2, 0.25]
 */
export function niceTicks(low: number, high: number, wanted: number, [least, most]: Ends = NO_BOUNDS): Ticks {
  const tiny = 1e-9 * Math.max(1e-3, Math.abs(low), Math.abs(high));
  if (high - low > tiny) {
    // 0.1 + 0.2 is a little above 0.3, which needs no further step.
    const ends = [low, high].map((end) => Number(end.toPrecision(9)));
    const [from = low, to = high] = scaleLinear(ends, [0, 1]).nice(wanted).domain();
    return ticksWithin(from, to, wanted);
  }
  const room = high === 0 ? 1 : Math.max(Math.abs(high) / 10, 2 * tiny);
  return niceTicks(Math.max(low - room, Math.min(least, low)), Math.min(high + room, Math.max(most, high)), wanted);
}

/** Ticks for values of which there is at least one. */
export function ticksOver(values: readonly number[], wanted: number, bounds?: Ends): Ticks {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  return niceTicks(low, high, wanted, bounds);
}

/** The multiples of a nice step that lie between two ends, which stay as they are. */
export function ticksWithin(low: number, high: number, wanted: number): Ticks {
  const values = scaleLinear([low, high], [0, 1]).ticks(wanted);
  const [first = low, second = high] = values;
  return { step: Number((second - first).toPrecision(12)), values, ends: [low, high] };
}

/**
 * As many decimals as the step needs; large numbers in groups of three, very large ones in powers of ten.
 *
 * @example tickText(0.3, 0.05) // '0.30'
 * @example tickText(12000, 2000) // '12,000'
 */
export function tickText(value: number, step: number): string {
  if (Math.abs(value) >= 1e6)
    return value
      .toExponential(2)
      .replace(/\.?0+e/, 'e')
      .replace('e+', 'e');
  const decimals = Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return decimals === 0 ? count(value) : value.toFixed(decimals);
}
