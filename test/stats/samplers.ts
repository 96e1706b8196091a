import type { MersenneTwister } from '../../src/stats/mersenne-twister.ts';

/** n numbers, each drawn by itself. */
export function sample<T>(n: number, one: () => T): T[] {
  return Array.from({ length: n }, one);
}

/** Between 0 and 1, neither of them. */
export function uniform(random: MersenneTwister): number {
  return (random.uint32() + 0.5) / 2 ** 32;
}

/** Mean 0, standard deviation 1 (Box and Muller 1958). */
export function normal(random: MersenneTwister): number {
  return Math.sqrt(-2 * Math.log(uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
}

/** Mean 1, standard deviation 1, skewed to the right. */
export function exponential(random: MersenneTwister): number {
  return -Math.log(uniform(random));
}

/** Mean 0 and symmetric, with long tails. */
export function laplace(random: MersenneTwister): number {
  return exponential(random) - exponential(random);
}

/** Few values, many of them equal and about a third of them 0. */
export function tied(random: MersenneTwister): number {
  // Never −0.
  return Math.round(1.2 * normal(random)) + 0;
}

/** Many small, few large; sigma is the standard deviation of the logarithm, whose mean is 0. */
export function lognormal(random: MersenneTwister, sigma: number): number {
  return Math.exp(sigma * normal(random));
}

/** A count with the mean given (Knuth 1969). */
export function poisson(random: MersenneTwister, mean: number): number {
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = uniform(random); product > least; product *= uniform(random)) count += 1;
  return count;
}

/** How many of n come out, each with the chance p. */
export function binomial(random: MersenneTwister, n: number, p: number): number {
  let count = 0;
  for (let left = n; left > 0; left -= 1) if (uniform(random) < p) count += 1;
  return count;
}

/** Between 0 and 1 with mean a / (a + b): the share of one of two gammas. */
export function beta(random: MersenneTwister, a: number, b: number): number {
  const [one, other] = [gamma(random, a), gamma(random, b)];
  return one / (one + other);
}

/** Mean and variance are the shape (Marsaglia and Tsang 2000). */
export function gamma(random: MersenneTwister, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * uniform(random) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(uniform(random)) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}
