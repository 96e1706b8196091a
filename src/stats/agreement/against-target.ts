import type { Sureness } from '../../measure/results.ts';

/** Whether a value is above a target, as sure as its interval is. */
export interface TargetResult {
  readonly target: number;
  readonly result: 'met' | 'not met' | 'inconclusive';
  readonly why: string;
}

/**
 * A target is met when the whole interval lies above it, not met when the whole interval lies at or below it, and inconclusive
 * when the interval holds it or is missing. Higher is better. Example: κ 0.70, interval 0.61 to 0.79,
 * target 0.75: inconclusive.
 */
export function againstTarget(
  { value, interval, noInterval }: Sureness & { readonly value: number | null },
  target: number,
): TargetResult {
  if (value === null) return { target, result: 'inconclusive', why: 'it is undefined' };
  if (interval === null)
    return { target, result: 'inconclusive', why: `there is no interval: ${noInterval ?? 'no reason given'}` };
  if (interval.low > target) return { target, result: 'met', why: 'the whole interval lies above it' };
  if (interval.high <= target) return { target, result: 'not met', why: 'no part of the interval lies above it' };
  const side = value > target ? 'above' : 'not above';
  return { target, result: 'inconclusive', why: `the value is ${side} it, but the interval lies on both sides` };
}
