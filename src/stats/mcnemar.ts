import { UsageError } from '../data/problems.ts';
import { add, divide, type DoubleDouble, multiply, UNIT, scaled } from './double-double.ts';
import { expectCount } from './finite-numbers.ts';

export interface McNemarResult {
  /** Pairs where only the first said yes, pairs where only the second did, and both together. */
  readonly b: number;
  readonly c: number;
  readonly discordant: number;
  /** Exact two-sided p. */
  readonly pValue: number | null;
  /** The same with half the chance of what was seen left out: closer to the level, without its guarantee. */
  readonly midP: number | null;
  readonly undefined: string | null;
  readonly note?: string;
}

/** The sum has as many terms as the smaller count. */
const MOST_PAIRS = 10_000_000;

/**
 * McNemar's test in its exact form: of the pairs that differ, is either direction as likely as the other?
 * p = 2 P(X ≤ min(b, c)), X binomial with b + c throws of a fair coin, at most 1; mid-p = p − P(X = min(b, c)), and
 * 1 − ½ P(X = b) where b = c. Undefined when no pair differs. A small p speaks against both being equally good.
 * McNemar, Q. (1947), Note on the sampling error of the difference between correlated proportions or percentages,
 * Psychometrika 12, 153–157. Mid-p: Fagerland, M. W., Lydersen, S. and Laake, P. (2013), The McNemar test for binary
 * matched-pairs data, BMC Medical Research Methodology 13, 91.
 * @example mcnemar(1, 7) // pValue 0.0703125, midP 0.0390625
 */
export function mcnemar(b: number, c: number): McNemarResult {
  for (const [name, count] of Object.entries({ b, c }))
    expectCount(`mcnemar: ${name}`, count, 'count the pairs where only one of the two said yes');
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

/** Numbers grow to this before they are scaled back, with room for one more factor. */
const LARGE_TWOS = 512;
const LARGE = 2 ** LARGE_TWOS;

/**
 * Chances of k heads and of at most k heads in n throws of a fair coin: C(n, k) / 2^n and its sum from 0.
 * Defined for whole 0 ≤ k ≤ n. Takes k steps; right to the last bit or next to it, as it works with twice the digits.
 * @example binomialHalf(1, 8) // exactly: 8/256 = 0.03125, atMost: 9/256 = 0.03515625
 */
export function binomialHalf(k: number, n: number): { readonly exactly: number; readonly atMost: number } {
  const shrunk = ([high, low]: DoubleDouble): DoubleDouble => [high / LARGE, low / LARGE];
  let [ways, sum, twos] = [UNIT, UNIT, -n];
  for (let i = 1; i <= k; i += 1) {
    ways = divide(multiply(ways, [n - i + 1, 0]), i);
    sum = add(sum, ways);
    if (sum[0] <= LARGE) continue;
    ways = shrunk(ways);
    sum = shrunk(sum);
    twos += LARGE_TWOS;
  }
  return { exactly: scaled(ways[0], twos), atMost: scaled(sum[0], twos) };
}
