import { expect, it } from 'vitest';

import { bootstrap } from '../../src/stats/bootstrap.ts';
import type { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { covers, expectCoverage, exponential, laplace, normal, sample, simulate, uniform } from './simulate.ts';

const CASES = 40;
/** Fewer than the usual 10,000: the ends of an interval move by little, and over data sets that evens out. */
const RESAMPLES = 1000;
const METHODS = ['percentile', 'bca'] as const;

async function coverage(
  shape: string,
  one: (random: MersenneTwister) => number,
  truth: number,
): Promise<(name: string) => number> {
  return await simulate(`bootstrap of a mean, n = ${CASES}, ${shape}`, (random, seed, note) => {
    const values = sample(CASES, () => one(random));
    for (const method of METHODS)
      note(`${method} covers`, covers(bootstrap(values, { seed, method, resamples: RESAMPLES }), truth));
  });
}

it.each<[string, (random: MersenneTwister) => number, number]>([
  ['normal', normal, 0],
  // Such as an F1 per case: most near 1; the mean of 1 − u² is 1 − 1/3.
  ['scores near 1', (random) => 1 - uniform(random) ** 2, 2 / 3],
  ['yes or no', (random) => (uniform(random) < 0.7 ? 1 : 0), 0.7],
])('92.5 to 97 of 100 intervals of a mean hold the truth, percentile and BCa: %s', async (shape, one, truth) => {
  const share = await coverage(shape, one, truth);
  for (const method of METHODS) expectCoverage(share(`${method} covers`));
});

// 20,000 data sets of 40, 2,000 resamples each, both intervals written out with numpy 2.4.6 alone.
it.each<[string, (random: MersenneTwister) => number, number, { percentile: number; bca: number }]>([
  ['laplace', laplace, 0, { percentile: 0.931, bca: 0.918 }],
  ['exponential', exponential, 1, { percentile: 0.922, bca: 0.929 }],
])('long tails cost a few of them, as many as with numpy: %s', async (shape, one, truth, expected) => {
  const share = await coverage(shape, one, truth);
  // Four standard errors of 2,000 data sets beside 20,000.
  for (const method of METHODS) expect(Math.abs(share(`${method} covers`) - expected[method])).toBeLessThan(0.024);
});
