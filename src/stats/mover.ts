import type { JackknifeEstimate } from './jackknife.ts';
import type { EstimateLimits } from './estimate-limits.ts';

/** An estimate in a weighted sum, with its own interval. */
export interface Term {
  readonly weight: number;
  readonly estimate: Pick<JackknifeEstimate, 'value' | 'shifts'>;
  readonly limits: NonNullable<EstimateLimits>;
}

/**
 * Interval of Σ weight · value from the intervals of the values (MOVER, the method of variance estimates recovery: Zou and
 * Donner 2008): θ − √(Σᵢ Σⱼ rᵢⱼ aᵢ aⱼ), where aᵢ is how far term i reaches downwards, weight · (value − low), or with a
 * negative weight |weight| · (high − value); upwards alike. r is the correlation of the terms' shifts, signs of the weights
 * included: terms that the same units move. A term that no unit moves is correlated with none.
 * Example: 0.8 from 0.7 to 0.87 and 1 from 0.6 to 1, half of each: 0.9 − √(0.05² + 0.2²) = 0.694 to 0.9 + 0.035.
 */
export function moverLimits(terms: readonly Term[]): [low: number, high: number] {
  let sum = 0;
  // Downwards and upwards: Σ aᵢ · shifts of i at length 1, whose squares add up to the double sum; terms that nothing moves.
  const units = terms[0]?.estimate.shifts.length ?? 0;
  const reaches = [0, 1].map(() => ({ shifts: new Float64Array(units), rest: 0 }));
  for (const { weight, estimate, limits } of terms) {
    const { value, shifts } = estimate;
    sum += weight * value;
    const length = Math.sqrt(shifts.reduce((total, shift) => total + shift * shift, 0));
    const sides = weight < 0 ? limits.toReversed() : limits;
    for (const [at, side] of sides.entries()) {
      const reach = Math.abs(weight * (side - value));
      const into = reaches[at]!;
      if (length === 0) into.rest += reach ** 2;
      else
        for (let unit = 0; unit < shifts.length; unit += 1)
          into.shifts[unit]! += (Math.sign(weight) * reach * shifts[unit]!) / length;
    }
  }
  const [down, up] = reaches.map(({ shifts, rest }) =>
    Math.sqrt(shifts.reduce((total, shift) => total + shift * shift, rest)),
  );
  return [sum - down!, sum + up!];
}
