import { expectFinite } from './finite-numbers.ts';
import { ROUNDING } from './interval.ts';
import { resample, swapsDraw } from './resample.ts';
import { resampleSettings, type ResampleSettings } from './resample-settings.ts';

export interface PermutationResult {
  readonly pValue: number | null;
  /** Whether every way to flip signs was gone through. */
  readonly exact: boolean;
  readonly resamples: number;
  /** Pairs, those without a difference included. */
  readonly n: number;
  readonly undefined: string | null;
}

/**
 * The paired permutation test: if both systems were the same, each difference could as well have the other sign.
 * p = the share of sign flips whose |mean| is at least the one seen, two-sided. All 2^n flips when they are at most
 * `resamples` (n counts the pairs that differ); else that many random ones and p = (count + 1) / (resamples + 1),
 * which is never 0. Undefined without pairs. A small p speaks against a mean difference of zero.
 * Depends neither on the order of the pairs nor on which system is the first: signs are drawn for sorted |d|.
 * Fisher, R. A. (1935), The design of experiments, section 21; the + 1: Phipson, B. and Smyth, G. K. (2010),
 * Permutation p-values should never be zero, Statistical Applications in Genetics and Molecular Biology 9, 39.
 * @example permutationTest([1, 2, 3]) // only +++ and −−− reach a mean of 2: pValue 2/8
 */
export function permutationTest(
  differences: readonly number[],
  options: Partial<Pick<ResampleSettings, 'resamples' | 'seed'>> = {},
): PermutationResult {
  const { resamples, seed } = resampleSettings(options);
  expectFinite('permutationTest: differences', differences);
  const n = differences.length;
  if (n === 0) return { pValue: null, exact: false, resamples: 0, n, undefined: 'there are no pairs' };

  const largest = differences.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
  // In units of the largest, so that no sum leaves the range of a double. A zero stays the same with either sign.
  const moved = Float64Array.from(differences.filter((d) => d !== 0).map((d) => d / largest)).sort();
  const sizes = moved.map(Math.abs).sort();
  const total = sizes.reduce((sum, size) => sum + size, 0);
  // Sums closer than this share of Σ|d| count as equal: adding up in another order must not decide.
  const atLeast = Math.abs(moved.reduce((sum, d) => sum + d, 0)) - ROUNDING * total;
  const ways = 2 ** sizes.length;
  if (ways <= resamples) {
    const pValue = countAll(sizes, 0, 0, atLeast) / ways;
    return { pValue, exact: true, resamples: ways, n, undefined: null };
  }
  let count = 0;
  for (const flips of resample(resamples, new Float64Array(sizes.length), swapsDraw(seed))) {
    let negative = 0;
    for (let at = 0; at < sizes.length; at += 1) negative += flips[at]! * sizes[at]!;
    if (Math.abs(total - 2 * negative) >= atLeast) count += 1;
  }
  return { pValue: (count + 1) / (resamples + 1), exact: false, resamples, n, undefined: null };
}

/** How many of all flips of the sizes from `at` on, added to `sum`, reach |sum| ≥ atLeast. */
function countAll(sizes: Float64Array, at: number, sum: number, atLeast: number): number {
  if (at === sizes.length) return Math.abs(sum) >= atLeast ? 1 : 0;
  const size = sizes[at]!;
  return countAll(sizes, at + 1, sum + size, atLeast) + countAll(sizes, at + 1, sum - size, atLeast);
}
