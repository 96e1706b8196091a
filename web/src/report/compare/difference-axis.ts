import type { MeasureComparison } from '../../../../src/compare/comparison.ts';
import { towardsBetter } from './measure-order.ts';

/** A difference as it is drawn: better is to the right, whichever way the measure points. */
export interface DrawnDifference {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export function drawnDifference(
  row: Pick<MeasureComparison, 'direction' | 'best' | 'difference' | 'interval'>,
): DrawnDifference | null {
  if (row.difference === null) return null;
  const value = towardsBetter(row, row.difference);
  if (row.interval === null) return { value, low: null, high: null };
  const ends = [towardsBetter(row, row.interval.low), towardsBetter(row, row.interval.high)];
  return { value, low: Math.min(...ends), high: Math.max(...ends) };
}

const ROUND = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/**
 * How far an axis goes to both sides of 0 so that all of these have room on it: a round number.
 *
 * @example axisReach([{ value: 0.03, low: -0.01, high: 0.07 }]) // 0.08
 */
export function axisReach(drawn: readonly DrawnDifference[]): number {
  const most = Math.max(0, ...drawn.flatMap(({ value, low, high }) => [value, low ?? 0, high ?? 0].map(Math.abs)));
  if (most === 0 || !Number.isFinite(most)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = ROUND.find((one) => one * power >= most * (1 - 1e-9)) ?? 10;
  // 3 * 0.1 is not 0.3.
  return Number((step * power).toPrecision(6));
}
