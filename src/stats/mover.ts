import type { Range } from '../measure/measure.ts';
import { power } from './double-double.ts';
import type { EstimateLimits } from './estimate-limits.ts';
import type { JackknifeEstimate } from './jackknife.ts';

/** An estimate in a weighted sum, with its own interval. */
export interface Term {
  readonly weight: number;
  readonly estimate: Pick<JackknifeEstimate, 'value' | 'shifts'>;
  readonly limits: NonNullable<EstimateLimits>;
}

/** Up to so many terms that share the width, the interval is that of MOVER alone. */
const FEW_TERMS = 2;

/**
 * Interval of Σ weight · value from the intervals of the values. One end is as far as MOVER has it (the method of variance
 * estimates recovery: Zou and Donner 2008): √(Σᵢ Σⱼ rᵢⱼ aᵢ aⱼ), where aᵢ is how far term i reaches to that side and r the
 * correlation of the terms' shifts, signs of the weights included; a term that no unit moves is correlated with none.
 *
 * Intervals of high shares are short upwards and long downwards. In one term that is right; over many terms the errors
 * add up to a bias. So if k terms share the width, k = (Σ w²)² / Σ w⁴ > 2, the squared reach is 2/k of MOVER's and 1 − 2/k
 * of an even one: the larger of quantile · jackknife error of the sum, and half of the terms' widths w combined alike.
 * Example: 0.8 from 0.7 to 0.87 and 1 from 0.6 to 1, half of each: 0.9 − √(0.05² + 0.2²) = 0.694 to 0.9 + 0.035.
 */
export function moverLimits(
  terms: readonly Term[],
  quantile: number,
  [least, most]: Range,
): [low: number, high: number] {
  const sum = terms.reduce((total, { weight, estimate }) => total + weight * estimate.value, 0);
  const reaches = terms.map(({ weight, estimate: { value }, limits: [low, high] }) => {
    const [down, up] = [Math.abs(weight) * (value - low), Math.abs(weight) * (high - value)];
    return weight < 0 ? [up, down] : [down, up];
  });
  const widths = reaches.map(([down, up]) => down! + up!);
  const squares = widths.reduce((total, width) => total + width ** 2, 0);
  const sharing = squares ** 2 / widths.reduce((total, width) => total + power(width, 4), 0);
  const share = Math.min(1, FEW_TERMS / sharing);
  const halves = widths.map((width) => width / 2);
  const even = share === 1 ? 0 : Math.max(quantile * errorOf(terms), combined(terms, halves));
  const [down, up] = [0, 1].map((side) => {
    const reach = combined(
      terms,
      reaches.map((sides) => sides[side]!),
    );
    return Math.sqrt(share * reach ** 2 + (1 - share) * even ** 2);
  });
  return [Math.max(sum - down!, least ?? -Infinity), Math.min(sum + up!, most ?? Infinity)];
}

/** √(Σᵢ Σⱼ rᵢⱼ reachᵢ reachⱼ): the length of Σ reachᵢ · shifts of i at length 1. */
function combined(terms: readonly Term[], reaches: readonly number[]): number {
  const lengths = terms.map(({ estimate }) =>
    Math.sqrt(estimate.shifts.reduce((total, shift) => total + shift ** 2, 0)),
  );
  const apart = reaches.reduce((total, reach, at) => total + (lengths[at] === 0 ? reach ** 2 : 0), 0);
  const factors = terms.map(({ weight }, at) =>
    lengths[at] === 0 ? 0 : (Math.sign(weight) * reaches[at]!) / lengths[at]!,
  );
  return Math.sqrt(apart + squaredSum(terms, factors));
}

/** Jackknife error of the sum: √((n − 1) / n · Σ (Σ weight · shift)²). */
function errorOf(terms: readonly Term[]): number {
  const n = terms[0]?.estimate.shifts.length ?? 1;
  return Math.sqrt(
    ((n - 1) / n) *
      squaredSum(
        terms,
        terms.map(({ weight }) => weight),
      ),
  );
}

/** Over the units, the sum of (Σ factor · shift)². */
function squaredSum(terms: readonly Term[], factors: readonly number[]): number {
  const sums = new Float64Array(terms[0]?.estimate.shifts.length ?? 0);
  for (const [at, { estimate }] of terms.entries())
    for (let unit = 0; unit < sums.length; unit += 1) sums[unit]! += factors[at]! * estimate.shifts[unit]!;
  return sums.reduce((total, value) => total + value ** 2, 0);
}
