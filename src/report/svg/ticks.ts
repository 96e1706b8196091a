import { count } from '../../text/figures.ts';
import type { Ends } from './scale.ts';

/** Even values of an axis, all multiples of `step`; the first and the last are the ends of the axis. */
export interface Ticks {
  readonly step: number;
  readonly values: readonly number[];
  readonly ends: Ends;
}

/** Beyond this a number is no size that a figure could show. */
export const LARGEST = 1e15;

const NO_BOUNDS: Ends = [-Infinity, Infinity];

/** Whether a number can be put on an axis. */
export function drawable(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && Math.abs(value) <= LARGEST;
}

/**
 * About `wanted` steps of 1, 2 or 5 times a power of ten that hold both ends. Ends that are equal, or as good as, get
 * room on both sides, as far as the bounds of what is shown allow.
 *
 * @example niceTicks(0, 0.23, 4).values // [0, 0.1, 0.2, 0.3]
 */
export function niceTicks(low: number, high: number, wanted: number, [least, most]: Ends = NO_BOUNDS): Ticks {
  const tiny = 1e-9 * Math.max(1e-3, Math.abs(low), Math.abs(high));
  if (!(high - low > tiny)) {
    const room = high === 0 ? 1 : Math.max(Math.abs(high) / 10, tiny);
    const [from, to] = [Math.max(low - room, Math.min(least, low)), Math.min(high + room, Math.max(most, high))];
    return niceTicks(from, to, wanted);
  }
  const step = niceStep((high - low) / wanted);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const values = Array.from({ length: last - first + 1 }, (_, at) => multiple(first + at, step));
  return { step, values, ends: [values[0]!, values.at(-1)!] };
}

/** Ticks for values of which there is at least one. */
export function ticksOver(values: readonly number[], wanted: number, bounds?: Ends): Ticks {
  const low = values.reduce((a, b) => Math.min(a, b));
  return niceTicks(
    low,
    values.reduce((a, b) => Math.max(a, b)),
    wanted,
    bounds,
  );
}

/** The multiples of a nice step that lie between two ends, which stay as they are. */
export function ticksWithin(low: number, high: number, wanted: number): Ticks {
  const { step, values } = niceTicks(low, high, wanted);
  return { step, values: values.filter((value) => value >= low && value <= high), ends: [low, high] };
}

/** The smallest of 1, 2, 5 times a power of ten that is not below, give or take what rounding does. */
export function niceStep(least: number): number {
  const exponent = Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5])
    if (factor >= (least / 10 ** exponent) * (1 - 1e-9)) return multiple(factor, 10 ** exponent);
  return 10 ** (exponent + 1);
}

/** 3 x 0.1 is 0.3, not 0.30000000000000004. */
function multiple(times: number, step: number): number {
  return Number((times * step).toPrecision(12));
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
