import { describe, expect, it } from 'vitest';

import { mcnemar } from '../../src/stats/mcnemar.ts';
import { permutationTest } from '../../src/stats/sign-flip.ts';
import { wilcoxon, type WilcoxonOptions } from '../../src/stats/wilcoxon.ts';
import { expectLevel, laplace, MANY_DATA_SETS, normal, rejects, sample, simulate, tied, uniform } from './simulate.ts';

const SHAPES = { normal, laplace, tied };
type Shape = keyof typeof SHAPES;

describe('the permutation test of differences that are symmetric around 0', () => {
  it.each<[number, Shape]>([
    [20, 'normal'],
    [20, 'laplace'],
    [40, 'normal'],
    [40, 'laplace'],
  ])('rejects in 4 to 6 of 100 data sets: %d differences, %s', async (n, shape) => {
    expectLevel(await permutationLevel(n, shape), 'continuous');
  });

  it.each([20, 40])('rejects in at most 6 of 100 where few values make for few sums: %d differences', async (n) => {
    expectLevel(await permutationLevel(n, 'tied'), 'discrete');
  });
});

async function permutationLevel(n: number, shape: Shape): Promise<number> {
  const share = await simulate(`permutationTest, n = ${n}, ${shape}`, (random, seed, note) => {
    const differences = sample(n, () => SHAPES[shape](random));
    note('rejected', rejects(permutationTest(differences, { seed }).pValue));
  });
  return share('rejected');
}

describe("Wilcoxon's test of differences that are symmetric around 0", () => {
  it.each<[number, Shape, string]>([
    [12, 'normal', 'exact'],
    [12, 'tied', 'permutation'],
  ])('is exact and rejects in at most 6 of 100 data sets: %d differences, %s', async (n, shape, method) => {
    expectLevel(await wilcoxonLevel(n, shape, {}, method), 'discrete');
  });

  it.each<[number, Shape, WilcoxonOptions, string]>([
    [40, 'normal', {}, 'exact'],
    [40, 'laplace', {}, 'exact'],
    [40, 'normal', { method: 'approx' }, 'approx'],
    [40, 'tied', {}, 'approx'],
    [40, 'tied', { zeroMethod: 'pratt' }, 'approx'],
    [40, 'tied', { zeroMethod: 'zsplit' }, 'approx'],
    [100, 'normal', {}, 'approx'],
    [100, 'tied', {}, 'approx'],
  ])('rejects in 4 to 6 of 100: %d differences, %s, %j', async (n, shape, options, method) => {
    expectLevel(await wilcoxonLevel(n, shape, options, method), 'continuous');
  });
});

async function wilcoxonLevel(n: number, shape: Shape, options: WilcoxonOptions, method: string): Promise<number> {
  const asked = Object.values(options).join(' ') || 'auto';
  let otherwise = 0;
  const share = await simulate(
    `wilcoxon, n = ${n}, ${shape}, ${asked}`,
    (random, _, note) => {
      const differences = sample(n, () => SHAPES[shape](random));
      const found = wilcoxon(differences, null, options);
      note('rejected', rejects(found.pValue));
      if (found.method !== method) otherwise += 1;
    },
    MANY_DATA_SETS,
  );
  expect(otherwise).toBe(0);
  return share('rejected');
}

it("McNemar's exact test of systems that are alike rejects in at most 6 of 100 data sets, its mid-p in 4 to 6", async () => {
  const share = await simulate(
    'mcnemar, n = 200, a third of the pairs differ',
    (random, _, note) => {
      let [onlyA, onlyB] = [0, 0];
      for (let at = 0; at < 200; at += 1) {
        // A case that is easy for the one is easy for the other.
        const easy = uniform(random);
        const [a, b] = [uniform(random) < easy, uniform(random) < easy];
        if (a && !b) onlyA += 1;
        if (b && !a) onlyB += 1;
      }
      const { pValue, midP } = mcnemar(onlyA, onlyB);
      note('exact rejected', rejects(pValue));
      note('mid-p rejected', rejects(midP));
    },
    MANY_DATA_SETS,
  );
  expectLevel(share('exact rejected'), 'discrete');
  expectLevel(share('mid-p rejected'), 'continuous');
});
