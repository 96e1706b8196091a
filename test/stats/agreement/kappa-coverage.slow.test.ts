import { it } from 'vitest';

import { cohenKappa } from '../../../src/stats/agreement/cohen-kappa.ts';
import type { MersenneTwister } from '../../../src/stats/mersenne-twister.ts';
import { covers, expectCoverage, sample, simulate, uniform } from '../simulate.ts';

const ITEMS = 100;
const CATEGORIES = [0, 1, 2];
/** The chance of each category, and that a rater says what is there rather than a category at random by these chances. */
const SHARES = [0.5, 0.3, 0.2];
const SEES = 0.8;

function category(random: MersenneTwister): number {
  const drawn = uniform(random);
  return drawn < SHARES[0]! ? 0 : drawn < SHARES[0]! + SHARES[1]! ? 1 : 2;
}

/**
 * Two raters who both see the truth agree, else only by chance, with the same shares: so whatever a disagreement costs,
 * a share of 0.8² = 0.64 of the items costs nothing and the others cost what chance would, which is a kappa of 0.64.
 */
function item(random: MersenneTwister): number[] {
  const truth = category(random);
  return sample(2, () => (uniform(random) < SEES ? truth : category(random)));
}

it.each(['none', 'quadratic'] as const)(
  "92.5 to 97 of 100 intervals of Cohen's kappa over 100 items hold the truth: weights %s",
  async (weights) => {
    const share = await simulate(`cohenKappa, n = ${ITEMS}, weights ${weights}`, (random, seed, note) => {
      const ratings = sample(ITEMS, () => item(random));
      const { interval } = cohenKappa(ratings, { weights, categories: CATEGORIES, seed, resamples: 2000 });
      note('covers', covers(interval, SEES * SEES));
    });
    expectCoverage(share('covers'));
  },
);
