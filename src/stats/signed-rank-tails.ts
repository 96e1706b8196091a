import { pairwiseSum } from '../measure/numpy.ts';

/** Chances of a rank sum of at most and of at least what was seen. */
export interface Tails {
  readonly below: number;
  readonly above: number;
}

/** Under this a difference from 1 has lost more than four of its sixteen digits. */
const SMALL = 1e-4;

/**
 * Tails of the signed-rank sum of n differences without ties or zeros, when every sign is a fair coin:
 * P(W = w) = (number of subsets of 1..n that add up to w) / 2^n.
 * A sum between whole numbers counts as the next one outwards in either tail, which makes both larger, never smaller.
 *
 * Wilcoxon, F. (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, 80–83. Sums are added up in
 * SciPy's order and its upper tail taken from 1, as long as that leaves twelve digits; below, the tail is added up.
 *
 * @example untiedTails(3, 6) // below: 1, above: 1/8
 */
export function untiedTails(n: number, rankSum: number): Tails {
  const chances = subsetChances(n);
  const middle = (n * (n + 1)) / 4;
  const upTo = (k: number): number => pairwiseSum(chances, 0, k + 1);
  const from = (k: number): number => pairwiseSum(chances, k, chances.length - k);
  const low = Math.ceil(rankSum);
  const high = Math.floor(rankSum);
  return {
    below: low <= middle ? upTo(low) : 1 - from(low + 1),
    above: high <= middle ? from(high) : upperTail(1 - upTo(high - 1), () => from(high)),
  };
}

function upperTail(subtracted: number, added: () => number): number {
  return subtracted < SMALL ? added() : subtracted;
}

/**
 * Chances of each rank sum from 0 to n(n + 1)/2. Halving in every step keeps them between 0 and 1, so that no n
 * overflows; only chances below 1e-308 are lost.
 */
function subsetChances(n: number): Float64Array {
  const most = (n * (n + 1)) / 2;
  const middle = Math.floor(most / 2);
  const chances = new Float64Array(most + 1);
  chances[0] = 1;
  for (let rank = 1; rank <= n; rank += 1) {
    // From above, so that each rank is used once. What lies beyond the middle mirrors what lies below it.
    const reached = Math.min(middle, (rank * (rank + 1)) / 2);
    for (let sum = reached; sum >= rank; sum -= 1) chances[sum] = chances[sum]! * 0.5 + chances[sum - rank]! * 0.5;
    for (let sum = Math.min(reached, rank - 1); sum >= 0; sum -= 1) chances[sum]! *= 0.5;
  }
  for (let sum = 0; sum < most - sum; sum += 1) chances[most - sum] = chances[sum]!;
  return chances;
}

/**
 * Tails of the signed-rank sum over all 2^n ways to sign the very ranks at hand, ties included. For small n only:
 * up to 50 ranks the counts are exact.
 *
 * @example permutedTails([1.5, 1.5, 3], 4.5) // below: 7/8, above: 3/8
 */
export function permutedTails(ranks: readonly number[], rankSum: number): Tails {
  // Doubled, average ranks are whole numbers.
  const doubled = ranks.map((rank) => 2 * rank);
  const ways = new Float64Array(doubled.reduce((sum, rank) => sum + rank, 1));
  ways[0] = 1;
  let reached = 0;
  for (const rank of doubled) {
    reached += rank;
    for (let sum = reached; sum >= rank; sum -= 1) ways[sum]! += ways[sum - rank]!;
  }
  let below = 0;
  let above = 0;
  for (const [sum, count] of ways.entries()) {
    if (sum <= 2 * rankSum) below += count;
    if (sum >= 2 * rankSum) above += count;
  }
  const all = 2 ** ranks.length;
  return { below: below / all, above: above / all };
}
