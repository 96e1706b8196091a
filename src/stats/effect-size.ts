import type { Outcome } from '../measure/measure.ts';
import { pairwiseSum } from '../measure/numpy.ts';
import { expectFinite } from './finite-numbers.ts';
import { ROUNDING } from './interval.ts';
import { signedRanks } from './ranks.ts';

/**
 * Cohen's d of paired differences: dz = mean / standard deviation (with n − 1). Its sign is that of the mean, 0 means no
 * effect; 0.2, 0.5 and 0.8 are called small, medium and large.
 * Undefined with fewer than two differences, and when all are the same (but for rounding: 1e-12 of their size).
 * Cohen, J. (1988), Statistical power analysis for the behavioral sciences, 2nd ed., section 2.3.
 * @example cohenDz([1, 2, 3]) // mean 2, deviation 1: value 2
 */
export function cohenDz(differences: readonly number[]): Outcome {
  expectFinite('cohenDz: differences', differences);
  const n = differences.length;
  if (n < 2) return { value: null, undefined: n === 0 ? 'there are no pairs' : 'one pair has no spread', n };
  // Sorted, so that the order of the pairs does not reach the last bit.
  const sorted = Float64Array.from(differences).sort();
  const [low, high] = [sorted[0]!, sorted[n - 1]!];
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= ROUNDING * largest)
    return { value: null, undefined: 'all differences are the same: there is no spread to compare the mean with', n };
  // Squares of numbers beyond these would leave the range of a double.
  const values = largest > 1e100 || largest < 1e-100 ? sorted.map((d) => d / largest) : sorted;
  const mean = pairwiseSum(values) / n;
  const variance = pairwiseSum(values.map((d) => (d - mean) * (d - mean))) / (n - 1);
  return { value: mean / Math.sqrt(variance), undefined: null, n };
}

/**
 * Matched-pairs rank-biserial correlation: (R⁺ − R⁻) / (R⁺ + R⁻) over the rank sums of positive and negative
 * differences, zeros left out. From −1 (all negative) to 1 (all positive), 0 means balance. Undefined when no pair differs.
 * Kerby, D. S. (2014), The simple difference formula, Comprehensive Psychology 3, 11.IT.3.1.
 * @example rankBiserial([3, -1, 2]) // (5 − 1) / 6: value 0.6667
 */
export function rankBiserial(differences: readonly number[]): Outcome {
  expectFinite('rankBiserial: differences', differences);
  const { plus, minus, ranked } = signedRanks(differences, 'wilcox');
  if (ranked === 0)
    return { value: null, undefined: differences.length === 0 ? 'there are no pairs' : 'no pair differs', n: 0 };
  return { value: (plus - minus) / (plus + minus), undefined: null, n: ranked };
}
