import type { MeasureValue } from '../measure/tally.ts';
import { count, figure } from '../text/figures.ts';

/** What of a measure says how its numbers are written. */
type Ranged = Pick<MeasureValue, 'range'>;

/**
 * A number of any size in about three digits: as `figure` has it, but two decimals where it is no share and small. The
 * measure's range says whether it is a share.
 *
 * @example quantity(0.73077) // '0.731'
 * @example quantity(8.75, { range: [0, null] }) // '8.75'
 * @example quantity(43.25) // '43.3'
 * @example quantity(62177.875) // '62,178'
 */
export function quantity(value: number, measure: Ranged = { range: [0, 1] }): string {
  return withDecimals(value, decimalsOf(value, isShare(measure)));
}

/** A count has no end, and no decimals of its own. */
export function isCount({ range }: Ranged, ...values: readonly number[]): boolean {
  return range[1] === null && values.every((value) => Number.isInteger(value));
}

/** Two ends with the same number of decimals. */
export function quantities(low: number, high: number, measure: Ranged = { range: [0, 1] }): [string, string] {
  if (isCount(measure, low, high)) return [count(low), count(high)];
  const decimals = Math.min(...[low, high].map((end) => decimalsOf(end, isShare(measure))));
  return [withDecimals(low, decimals), withDecimals(high, decimals)];
}

function isShare({ range }: Ranged): boolean {
  return range[1] === 1;
}

/** 3 stands for `figure`, which adds more where three would claim a zero or a one that is none. */
function decimalsOf(value: number, share: boolean): number {
  const size = Math.abs(value);
  if (size >= 100) return 0;
  if (size >= 10) return 1;
  return share ? 3 : 2;
}

function withDecimals(value: number, decimals: number): string {
  if (decimals === 3) return figure(value);
  return decimals === 0 ? count(Math.round(value)) : value.toFixed(decimals);
}
