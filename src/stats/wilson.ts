import { UsageError } from '../data/problems.ts';
import type { Sureness } from '../measure/results.ts';
import { expectCount, expectShare } from './finite-numbers.ts';
import { none } from './interval.ts';
import { normalQuantile } from './normal.ts';

/**
 * Wilson's score interval of a proportion p = successes / n:
 * (2np + z² ± z √(z² + 4np(1 − p))) / (2(n + z²)), z the normal quantile of (1 + level) / 2.
 * None when n is 0. Unlike the interval of textbooks it stays within 0..1 and has a width at 0 and at n successes.
 * Wilson, E. B. (1927), Probable inference, the law of succession, and statistical inference, JASA 22, 209–212; as method
 * 3 in Newcombe, R. G. (1998), Two-sided confidence intervals for the single proportion, Statistics in Medicine 17, 857–872.
 * @example wilson(81, 263) // 0.2553 to 0.3662
 */
export function wilson(successes: number, n: number, level = 0.95): Sureness {
  for (const [name, count] of Object.entries({ n, successes }))
    expectCount(`wilson: ${name}`, count, 'give counts, not shares');
  if (successes > n)
    throw new UsageError(`wilson: ${successes} successes of ${n}, expected at most as many as n`, 'is n the total?');
  expectShare('wilson: level', level, 'such as 0.95');
  if (n === 0) return none('there is nothing to take a proportion of');

  const [low, high] = wilsonEnds(successes / n, n, normalQuantile(0.5 + 0.5 * level));
  return { interval: { low, high, level, method: 'wilson' }, noInterval: null };
}

/** Ends of Wilson's interval of a share of n, which need not be whole. */
export function wilsonEnds(share: number, n: number, z: number): [low: number, high: number] {
  const square = z * z;
  const below = 2 * (n + square);
  const centre = (2 * n * share + square) / below;
  const reach = (z / below) * Math.sqrt(4 * n * share * (1 - share) + square);
  // At the ends the formula gives 0 and 1 but for rounding.
  return [share === 0 ? 0 : centre - reach, share === 1 ? 1 : centre + reach];
}
