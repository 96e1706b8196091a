import { describe, expect, it } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { measureIntervals } from '../../src/stats/measure-intervals.ts';
import type { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { pairedBootstrap } from '../../src/stats/paired-difference.ts';
import { tableOf } from './count-tables.ts';
import { answers, questions, trueValues } from './made-up-answers.ts';
import {
  binomial,
  covers,
  expectCoverage,
  lognormal,
  type Note,
  poisson,
  sample,
  simulate,
  uniform,
} from './simulate.ts';

const CASES = 40;
const METHODS = ['percentile', 'bca'] as const;
const NAMES = ['precision', 'recall', 'f1'] as const;
const { measures } = buildMeasures(Object.fromEntries(NAMES.map((name) => [name, {}])), null);
/** Fewer resamples than the usual 10,000: the ends of an interval move by little, and over data sets that evens out. */
const SETTINGS = { resamples: 2000, level: 0.95, unit: 'case' } as const;

describe('92.5 to 97 of 100 intervals hold the truth', () => {
  it.each(METHODS)('of precision, recall and F1 over 40 cases: %s', async (method) => {
    const trial = async (random: MersenneTwister, seed: number, note: Note): Promise<void> => {
      const table = tableOf(measures, answers(random, questions(random, CASES)));
      const [whole = []] = await measureIntervals(table, measures, false, { ...SETTINGS, seed, method });
      NAMES.forEach((name, at) => note(`${name} covers`, covers(whole[at]!.interval, trueValues()[name])));
    };
    // Precision covers 93.5 %: with 2,000 data sets the luck of the seed could take it to the bound.
    const share = await simulate(`measureIntervals, n = ${CASES}, ${method}`, trial, 6000);
    for (const name of NAMES) expectCoverage(share(`${name} covers`));
  });

  it.each(METHODS)('of their differences between two systems on the same 40 cases: %s', async (method) => {
    const lost = 0.2;
    const share = await simulate(`pairedBootstrap, n = ${CASES}, ${method}`, async (random, seed, note) => {
      const asked = questions(random, CASES);
      const [a, b] = [tableOf(measures, answers(random, asked)), tableOf(measures, answers(random, asked, lost))];
      const parts = measures.map((measure) => ({ measure, label: -1 }));
      const [found] = await pairedBootstrap(a, [b], parts, { ...SETTINGS, seed, method });
      NAMES.forEach((name, at) =>
        note(`${name} covers`, covers(found![at]!.interval, trueValues(lost)[name] - trueValues()[name])),
      );
    });
    for (const name of NAMES) expectCoverage(share(`${name} covers`));
  });

  // The exact coverage at n = 40 is a sum of binomial chances, worked out with scipy.stats.binom.
  it.each([
    [0.1, 0.9433],
    [0.5, 0.9615],
    [0.9, 0.9433],
  ])("of a plain proportion of %d, which is Wilson's", async (truth, exact) => {
    const share = await simulate(`measureIntervals, n = ${CASES}, proportion ${truth}`, async (random, seed, note) => {
      const cases = sample(CASES, () => (uniform(random) < truth ? 1 : 0));
      const table = tableOf(
        measures,
        cases.map((hit) => ({ hit, missed: 1 - hit, spurious: 0 })),
      );
      const [whole = []] = await measureIntervals(table, measures, false, {
        ...SETTINGS,
        resamples: 1,
        seed,
        method: 'bca',
      });
      const { interval } = whole[1]!;
      note('wilson covers', interval?.method === 'wilson' && covers(interval, truth));
    });
    expectCoverage(share('wilson covers'));
    // Four standard errors.
    expect(Math.abs(share('wilson covers') - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 2000));
  });
});

it('BCa is no worse than percentile on a skewed ratio, and misses more evenly on both sides', async () => {
  // Some cases are much larger than others, and most errors are in few of them: of their items u⁵ are wrong, a sixth.
  const truth = 5 / 6;
  const share = await simulate(`measureIntervals, n = ${CASES}, a skewed precision`, async (random, seed, note) => {
    const cases = sample(CASES, () => {
      const predicted = 1 + poisson(random, 4 * lognormal(random, 0.7));
      const hit = binomial(random, predicted, 1 - uniform(random) ** 5);
      return { hit, missed: 0, spurious: predicted - hit };
    });
    const table = tableOf(measures, cases);
    for (const method of METHODS) {
      const [whole = []] = await measureIntervals(table, measures.slice(0, 1), false, { ...SETTINGS, seed, method });
      const { interval } = whole[0]!;
      note(`${method} covers`, covers(interval, truth));
      note(`${method} above the truth`, interval !== null && interval.low > truth);
      note(`${method} below the truth`, interval !== null && interval.high < truth);
    }
  });
  const [percentile, bca] = METHODS.map((method) => ({
    off: Math.abs(share(`${method} covers`) - 0.95),
    lopsided: Math.abs(share(`${method} above the truth`) - share(`${method} below the truth`)),
  }));
  expect(bca!.off).toBeLessThanOrEqual(percentile!.off);
  expect(bca!.lopsided).toBeLessThan(percentile!.lopsided);
});
