import { UsageError } from '../data/problems.ts';
import CEPHES from './cephes-coefficients.json' with { type: 'json' };
import { exp, log } from './double-double.ts';

/**
 * The standard normal distribution, computed with the rational approximations of Moshier's Cephes library (1989–1992),
 * which SciPy's norm.cdf, norm.sf and norm.ppf use too: same coefficients, same order of operations, so the same bits.
 */

const SQRT_2PI = 2.5066282746310007;
const TAIL = 0.1353352832366127; // e^−2

/**
 * P(Z ≤ z) = ½ erfc(−z / √2) for standard normal Z; P(Z > z) is normalCdf(−z), which loses no digits for large z.
 * Defined for every number, ±Infinity included; NaN is refused.
 * Relative error: a few units in the last place for |z| < 3, growing as z² · 6e-17 towards the lower end (as SciPy's).
 * @example normalCdf(-1.96) // 0.024997895148220435
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) throw new UsageError('normalCdf: z is not a number', 'give a finite number or ±Infinity');
  const x = z * Math.SQRT1_2;
  const size = Math.abs(x);
  if (size < 1) return 0.5 + 0.5 * ratio(x * x, CEPHES.erf, x);
  const erfc = size === Infinity ? 0 : ratio(size, size < 8 ? CEPHES.erfc : CEPHES.farErfc, exp(-size * size));
  return x > 0 ? 1 - 0.5 * erfc : 0.5 * erfc;
}

/**
 * The z with normalCdf(z) = p; −Infinity for 0 and Infinity for 1. A p outside 0..1 is refused.
 * @example normalQuantile(0.975) // 1.959963984540054
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1))
    throw new UsageError(`normalQuantile: p is ${p}, expected a probability from 0 to 1`, 'give a share, not per cent');
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  const upper = p > 1 - TAIL;
  const y = upper ? 1 - p : p;
  if (y > TAIL) {
    const w = y - 0.5;
    return (w + w * ratio(w * w, CEPHES.middle, w * w)) * SQRT_2PI;
  }
  const x = Math.sqrt(-2 * log(y));
  const distance = x - log(x) / x - ratio(1 / x, x < 8 ? CEPHES.tail : CEPHES.farTail, 1 / x);
  return upper ? distance : -distance;
}

/** factor · P(x) / Q(x), the coefficients given from the highest power down. */
function ratio(x: number, { above, below }: typeof CEPHES.erf, factor: number): number {
  return (factor * horner(x, above)) / horner(x, below);
}

function horner(x: number, coefficients: readonly number[]): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}
