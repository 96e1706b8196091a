import { trigonometry } from './double-double.ts';

/** How far apart two results of the same system may lie by running again alone. */
export interface RepeatabilityLimit {
  readonly value: number | null;
  readonly undefined: string | null;
}

/**
 * limit = t × √2 × sd, with t the 97.5 % point of Student's t for runs - 1 degrees of freedom: in 95 % of cases two
 * further runs of the same system differ by less, if the runs' values are normal. Undefined with fewer than two runs,
 * and for an sd of 0: values that never moved say nothing about how far they could. Lower is better.
 * This is the repeatability limit of ISO 5725-6 (there 2.8 × sd, for an sd that is known well), with Student's t because
 * the sd of a few runs is not: the difference of two further runs divided by √2 sd has that distribution.
 * @example repeatabilityLimit(0.01, 3).value // 4.3027 × 1.4142 × 0.01 = 0.06085
 */
export function repeatabilityLimit(sd: number | null, runs: number): RepeatabilityLimit {
  if (runs < 2 || sd === null) return { value: null, undefined: 'fewer than two runs have a value' };
  if (sd === 0) return { value: null, undefined: 'every run has the same value' };
  return { value: studentPoint(0.95, runs - 1) * Math.SQRT2 * sd, undefined: null };
}

/**
 * The t for which a variable with Student's distribution lies between -t and t with the given probability, for a whole
 * number of degrees of freedom: the finite sums of Abramowitz & Stegun 26.7.3 and 26.7.4, turned round by halving.
 * @example studentPoint(0.95, 2) // 4.3026527297494…
 */
export function studentPoint(probability: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1)
    throw new RangeError('degrees of freedom are a whole number, 1 or more');
  if (!(probability >= 0 && probability < 1)) throw new RangeError('a probability is 0 or more and under 1');
  let [low, high] = [0, Math.PI / 2];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return Math.sqrt(degrees) * trigonometry(middle).tangent;
    if (centralProbability(middle, degrees) < probability) low = middle;
    else high = middle;
  }
}

/** P(-t < T < t) with t = √degrees × tan(angle). */
function centralProbability(angle: number, degrees: number): number {
  const { sine, cosine } = trigonometry(angle);
  const odd = degrees % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let at = odd ? 3 : 2; at <= degrees - 2; at += 2) {
    term *= ((at - 1) / at) * cosine * cosine;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}
