import { UsageError } from '../data/problems.ts';
import { binomialHalf } from './binomial-half.ts';

export interface McNemarResult {
  /** Pairs where only the first said yes, pairs where only the second did, and both together. */
  readonly b: number;
  readonly c: number;
  readonly discordant: number;
  /** Exact two-sided p. */
  readonly pValue: number | null;
  /** The same with half the chance of what was seen left out: closer to the level, without its guarantee. */
  readonly midP: number | null;
  /** Why there is no p value, or null. */
  readonly undefined: string | null;
  readonly note?: string;
}

/** The sum has as many terms as the smaller count. */
const MOST_PAIRS = 10_000_000;

/**
 * McNemar's test in its exact form: of the pairs that differ, is either direction as likely as the other?
 * p = 2 P(X ≤ min(b, c)), X binomial with b + c throws of a fair coin, at most 1; mid-p = p − P(X = min(b, c)), and
 * 1 − ½ P(X = b) where b = c. Undefined when no pair differs. A small p speaks against both being equally good.
 *
 * McNemar, Q. (1947), Note on the sampling error of the difference between correlated proportions or percentages,
 * Psychometrika 12, 153–157. Mid-p: Fagerland, M. W., Lydersen, S. and Laake, P. (2013), The McNemar test for binary
 * matched-pairs data, BMC Medical Research Methodology 13, 91.
 *
 * @example mcnemar(1, 7) // pValue 0.0703125, midP 0.0390625
 */
export function mcnemar(b: number, c: number): McNemarResult {
  expectCount('b', b);
  expectCount('c', c);
  const discordant = b + c;
  const counts = { b, c, discordant };
  if (discordant > MOST_PAIRS)
    throw new UsageError(
      `mcnemar: ${discordant} pairs differ, expected at most ${MOST_PAIRS}`,
      'test a sample of them',
    );
  if (discordant === 0) return { ...counts, pValue: null, midP: null, undefined: 'no pair differs' };
  const { exactly, atMost } = binomialHalf(Math.min(b, c), discordant);
  if (b === c) return { ...counts, pValue: 1, midP: 1 - 0.5 * exactly, undefined: null };
  const pValue = Math.min(1, 2 * atMost);
  const note = pValue === 0 ? { note: 'p is smaller than the smallest number that can be written, 5e-324' } : {};
  return { ...counts, pValue, midP: pValue - exactly, undefined: null, ...note };
}

function expectCount(name: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new UsageError(
      `mcnemar: ${name} is ${count}, expected a whole number from 0`,
      'count the pairs where only one of the two said yes',
    );
}
