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

export function expectCount(what: string, count: number, next: string): void {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new UsageError(`${what} is ${count}, expected a whole number from 0`, next);
}

export function expectShare(what: string, share: number, next: string): void {
  if (!(share > 0 && share < 1)) throw new UsageError(`${what} is ${share}, expected a number between 0 and 1`, next);
}
