import { UsageError } from '../data/problems.ts';

/** A flag's whole number within bounds. */
export function wholeNumber(flag: string, given: string, from: number, to: number): number {
  if (/^\d+$/.test(given) && Number(given) >= from && Number(given) <= to) return Number(given);
  throw new UsageError(
    `${flag} ${given}: expected a whole number${to === Number.MAX_SAFE_INTEGER ? `, ${from} or more` : ` from ${from} to ${to}`}`,
  );
}
