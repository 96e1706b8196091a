import { UsageError } from '../data/problems.ts';
import { expectShare } from './finite-numbers.ts';
import { normalQuantile } from './normal.ts';

/**
 * How many pairs a two-sided paired test at level alpha needs to show an effect of size dz with the chance `power`:
 * n = ((z₁₋α⸝₂ + z_power) / dz)² + z₁₋α⸝₂² / 2, rounded up; the second term makes up for the spread being estimated.
 * Never fewer than a sign-flip test needs to reach alpha at all: 2^(1 − n) ≤ alpha.
 * Null when dz is 0 or unknown, or so small that no count of pairs can be written: no number of pairs shows it.
 * Guenther, W. C. (1981), Sample size formulas for normal theory t tests, The American Statistician 35, 243–244. At
 * alpha 0.05 and 0.01 and a power from 0.5 to 0.95 this is the n of the noncentral t distribution, or one less. The
 * effect seen in one small sample is itself unsure, and so is this n.
 * @example neededPairs(0.5) // 34
 */
export function neededPairs(
  dz: number | null,
  { alpha = 0.05, power = 0.8 }: { readonly alpha?: number; readonly power?: number } = {},
): number | null {
  for (const [name, share] of Object.entries({ alpha, power }))
    expectShare(`neededPairs: ${name}`, share, 'such as 0.05 or 0.8');
  if (dz === null || dz === 0) return null;
  if (!Number.isFinite(dz))
    throw new UsageError(`neededPairs: dz is ${dz}, expected a finite number`, 'give null for an unknown effect');
  const z = -normalQuantile(alpha / 2);
  // A power that alpha alone gives asks for no effect at all, only for the correction.
  const wanted = Math.max(0, z + normalQuantile(power));
  const pairs = Math.ceil((wanted / dz) ** 2 + (z * z) / 2);
  let fewest = 1;
  for (let p = 1; p > alpha; p /= 2) fewest += 1;
  return Number.isSafeInteger(pairs) ? Math.max(pairs, fewest) : null;
}
