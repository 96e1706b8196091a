import { UsageError } from '../data/problems.ts';
import { pairwiseSum } from '../measure/numpy.ts';
import { expectFinite } from './finite-numbers.ts';
import { normalCdf } from './normal.ts';
import { signedRanks, type SignedRanks, type ZeroMethod } from './ranks.ts';

export type Alternative = 'two-sided' | 'greater' | 'less';

export interface WilcoxonOptions {
  readonly zeroMethod?: ZeroMethod;
  readonly method?: 'auto' | 'exact' | 'approx';
  readonly alternative?: Alternative;
  readonly correction?: boolean;
}

export interface WilcoxonResult {
  /** Two-sided the smaller of both rank sums, else that of the positive differences. */
  readonly statistic: number | null;
  readonly pValue: number | null;
  /** Only where the normal approximation was asked for. */
  readonly zStatistic: number | null;
  /** Pairs that differ, and pairs that do not. */
  readonly n: number;
  readonly zeros: number;
  /** How the p value came about; `permutation` goes through all signs of the ranks at hand. */
  readonly method: 'exact' | 'permutation' | 'approx';
  readonly undefined: string | null;
  readonly note?: string;
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  zeroMethod: ['wilcox', 'pratt', 'zsplit'],
  method: ['auto', 'exact', 'approx'],
  alternative: ['two-sided', 'greater', 'less'],
};

// SciPy's thresholds for `auto`: no exact distribution above the one, no permutation above the other.
const MOST_EXACT = 50;
const MOST_PERMUTED = 13;
/** The exact distribution takes n³/12 steps. */
const MOST_PAIRS = 3000;

/**
 * Wilcoxon's signed-rank test: are the differences d = x − y symmetric around zero?
 * W = Σ ranks of |d| where d > 0; p = the chance of a W as far out, if every sign were a fair coin.
 * A small p speaks against symmetry around zero; `greater` asks whether x tends to be larger.
 * Undefined without pairs, and in the normal approximation when no pair differs. Without `y`, `x` are the differences.
 * Wilcoxon, F. (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, 80–83. Agrees with SciPy 1.17,
 * including what `auto` chooses: the exact distribution up to 50 pairs without ties and zeros, all sign permutations up
 * to 13 pairs with them, else the normal approximation. `exact` ignores ties, as there.
 * @example wilcoxon([1.1, 2.3, 3.7, 4.2, 5.9, 6.4], [0.9, 2.9, 3.2, 3.1, 4.4, 8.1]) // statistic 9, pValue 0.84375
 */
export function wilcoxon(
  x: readonly number[],
  y: readonly number[] | null = null,
  options: WilcoxonOptions = {},
): WilcoxonResult {
  const { zeroMethod = 'wilcox', method = 'auto', alternative = 'two-sided', correction = false } = options;
  for (const [name, found] of Object.entries({ zeroMethod, method, alternative })) {
    const allowed = CHOICES[name] ?? [];
    if (!allowed.includes(found))
      throw new UsageError(`wilcoxon: ${name} is ${JSON.stringify(found)}`, `use one of ${allowed.join(', ')}`);
  }
  const differences = differencesOf(x, y);
  const pairs = differences.length;
  const ranked = signedRanks(differences, zeroMethod);
  const { plus, minus, ties, zeros } = ranked;
  const plain = !ties && zeros === 0;
  const automatic = pairs <= MOST_EXACT && plain ? 'exact' : pairs <= MOST_PERMUTED ? 'permutation' : 'approx';
  const used: WilcoxonResult['method'] = method === 'auto' ? automatic : method;
  const result = { statistic: null, pValue: null, zStatistic: null, n: pairs - zeros, zeros, method: used };
  if (pairs === 0) return { ...result, undefined: 'there are no pairs' };
  const statistic = alternative === 'two-sided' ? Math.min(plus, minus) : plus;
  if (used === 'approx' && ranked.deviation === 0)
    return { ...result, statistic, undefined: 'no pair differs, so the normal approximation has no spread' };
  if (used === 'permutation' && pairs === 1)
    return { ...result, statistic, undefined: 'the only pair does not differ' };

  const z = used === 'approx' ? standardised(ranked, alternative, correction) : 0;
  const { below, above } = used === 'approx' ? { below: normalCdf(z), above: normalCdf(-z) } : tails(used, ranked);
  const pValue = { less: below, greater: above, 'two-sided': Math.min(1, 2 * Math.min(below, above)) }[alternative];
  const zStatistic = method !== 'approx' ? null : alternative === 'two-sided' ? -Math.abs(z) : z;
  const note =
    pValue === 0
      ? { note: 'p is smaller than the smallest number that can be written, 5e-324' }
      : used === 'exact' && !plain
        ? { note: 'the exact distribution takes no account of ties and zeros: p is approximate' }
        : {};
  return { ...result, statistic, pValue, zStatistic, undefined: null, ...note };
}

function differencesOf(x: readonly number[], y: readonly number[] | null): readonly number[] {
  expectFinite('wilcoxon: x', x);
  if (y === null) return x;
  expectFinite('wilcoxon: y', y);
  if (x.length !== y.length)
    throw new UsageError(
      `wilcoxon: x has ${x.length} values and y has ${y.length}, expected as many of both`,
      'give one value of each for every case',
    );
  return x.map((value, i) => value - y[i]!);
}

/** How many standard deviations the rank sum lies from its mean; with the correction, half a rank nearer. */
function standardised({ plus, mean, deviation }: SignedRanks, alternative: Alternative, correction: boolean): number {
  const z = (plus - mean) / deviation;
  if (!correction) return z;
  const sign = alternative === 'greater' ? 1 : alternative === 'less' ? -1 : Math.sign(z);
  return z - (sign * 0.5) / deviation;
}

/** Chances of a rank sum of at most and of at least what was seen. */
type Tails = Readonly<Record<'below' | 'above', number>>;

function tails(used: 'exact' | 'permutation', { ranks, ranked, plus, split }: SignedRanks): Tails {
  if (used === 'permutation') return permutedTails(ranks, plus - split);
  if (ranked > MOST_PAIRS)
    throw new UsageError(
      `wilcoxon: the exact distribution of ${ranked} pairs takes too long, expected at most ${MOST_PAIRS}`,
      'use the method approx: with so many pairs both say the same',
    );
  return untiedTails(ranked, plus);
}

/** Under this a difference from 1 has lost more than four of its sixteen digits. */
const SMALL = 1e-4;

/**
 * Tails of the signed-rank sum of n differences without ties or zeros, when every sign is a fair coin:
 * P(W = w) = (number of subsets of 1..n that add up to w) / 2^n.
 * A sum between whole numbers counts as the next one outwards in either tail, which makes both larger, never smaller.
 * Sums are added up in SciPy's order and its upper tail taken from 1, as long as that leaves twelve digits; below, the
 * tail is added up.
 * @example untiedTails(3, 6) // below: 1, above: 1/8
 */
export function untiedTails(n: number, rankSum: number): Tails {
  const chances = subsetChances(n);
  const middle = (n * (n + 1)) / 4;
  const upTo = (k: number): number => pairwiseSum(chances, 0, k + 1);
  const from = (k: number): number => pairwiseSum(chances, k, chances.length - k);
  const low = Math.ceil(rankSum);
  const high = Math.floor(rankSum);
  const subtracted = high <= middle ? 0 : 1 - upTo(high - 1);
  return { below: low <= middle ? upTo(low) : 1 - from(low + 1), above: subtracted < SMALL ? from(high) : subtracted };
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
  let [below, above] = [0, 0];
  for (const [sum, count] of ways.entries()) {
    if (sum <= 2 * rankSum) below += count;
    if (sum >= 2 * rankSum) above += count;
  }
  const all = 2 ** ranks.length;
  return { below: below / all, above: above / all };
}
