import { endFigure, figure, levelText, NONE } from '../../../../src/text/figures.ts';
import type { Interval } from '../../../../src/measure/results.ts';

/** A measure, or a dash where it is undefined. */
export function valueText(value: number | null | undefined): string {
  return value == null ? NONE : figure(value);
}

/**
 * The ends of an interval.
 *
 * @example rangeText({ low: 0.405, high: 0.8 }) // '0.405 to 0.800'
 */
export function rangeText(interval: Pick<Interval, 'low' | 'high'> | null): string {
  return interval === null ? NONE : `${endFigure(interval.low)} to ${endFigure(interval.high)}`;
}

/** A value with its interval in words: `0.618 (95 % interval 0.405 to 0.800)`. */
export function estimateText(value: number | null, interval: Interval | null, why: string | null): string {
  if (value === null) return `undefined: ${why ?? 'no reason given'}`;
  if (interval === null) return `${figure(value)} (no interval)`;
  return `${figure(value)} (${levelText(interval.level)} interval ${rangeText(interval)})`;
}
