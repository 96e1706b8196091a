import { figure } from '../../text/figures.ts';
import { shorten } from '../../data/visible.ts';
import { oneLine } from './text-width.ts';
import { drawable } from './ticks.ts';

/** Characters of a reason; the whole of it is in the run. */
const REASON = 80;

/** A value that is drawn with how sure it is. */
export interface Estimate {
  readonly value: number | null;
  /** Why there is no value. */
  readonly undefined: string | null;
  /** Cases behind it. */
  readonly n: number;
  readonly interval: Interval | null;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: string;
}

/** An estimate that has a value, with the interval only where its ends can be drawn. */
export interface Drawn {
  readonly value: number;
  readonly interval: Interval | null;
}

export function drawn(estimate: Estimate): Drawn | null {
  const { value, interval } = estimate;
  if (!drawable(value)) return null;
  const whole = interval !== null && [interval.low, interval.high, interval.level].every(drawable);
  return { value, interval: whole ? interval : null };
}

/** All numbers that an axis must hold. */
export function extent(values: readonly (Drawn | null)[]): number[] {
  return values.flatMap((one) =>
    one === null ? [] : [one.value, ...(one.interval === null ? [] : [one.interval.low, one.interval.high])],
  );
}

/**
 * @example estimateText({ value: 0.5, undefined: null, n: 8, interval: null }) // '0.500, no interval, n = 8'
 */
export function estimateText(estimate: Estimate): string {
  const found = drawn(estimate);
  if (found === null) return `no value (${whyNot(estimate)})`;
  const { value, interval } = found;
  const sure = interval === null ? 'no interval' : `${figure(interval.low)} to ${figure(interval.high)}`;
  return `${figure(value)}, ${sure}, n = ${estimate.n}`;
}

export function whyNot(estimate: Estimate): string {
  const { undefined: reason, value } = estimate;
  return shorten(oneLine(reason ?? (value === null ? 'no reason was given' : 'too large to draw')), REASON);
}
