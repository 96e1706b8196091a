import { UsageError } from '../data/problems.ts';

/** Refuses NaN and ±Infinity, which every statistic would pass on without a word; `what` names the list. */
export function expectFinite(what: string, values: readonly number[]): void {
  const wrong = values.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0)
    throw new UsageError(
      `${what}[${wrong}] is ${String(values[wrong])}, expected a finite number`,
      'leave out pairs that have no value on either side',
    );
}
