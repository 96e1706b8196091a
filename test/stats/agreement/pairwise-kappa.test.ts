import { expect, it } from 'vitest';

import { pairwiseKappa } from '../../../src/stats/agreement/pairwise-kappa.ts';

const RATINGS = [
  ['a', 'a', 'a', 'a'],
  ['b', 'b', 'b', null],
  ['a', 'b', 'a', null],
  ['b', 'b', 'a', null],
];

it('gives kappa for every two raters, and the mean of those that have one', () => {
  const found = pairwiseKappa(RATINGS);
  expect(found.pairs.map(({ a, b }) => [a, b])).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ]);
  // 0 and 1: po 3/4, pe 1/2; 0 and 2: po 3/4, pe 1/2; 1 and 2: po 1/2, pe = 1/4 · 3/4 + 3/4 · 1/4 = 3/8.
  expect(found.pairs[0]!.agreement.value).toBeCloseTo(1 / 2, 12);
  expect(found.pairs[1]!.agreement.value).toBeCloseTo(1 / 2, 12);
  expect(found.pairs[3]!.agreement.value).toBeCloseTo(1 / 5, 12);
  expect(found.pairs[2]!.agreement).toMatchObject({ value: null, n: 1, left: 3, interval: null });
  expect(found.undefinedPairs).toBe(3);
  expect(found.mean).toBeCloseTo(0.4, 12);
});

it('says so when no pair has a kappa, and does not hide rows of different length', () => {
  expect(pairwiseKappa([['a', 'a']])).toMatchObject({ mean: null, undefined: 'no two raters have a kappa' });
  expect(() => pairwiseKappa([['a', 'a'], ['a']])).toThrow('row 2');
});

it('counts the steps of weights over the categories of all raters', () => {
  // Raters 1 and 2 never say 2, yet 1 and 3 are two steps apart because rater 3 does.
  const ratings = [
    [1, 1, 1],
    [3, 3, 3],
    [1, 3, 2],
  ];
  expect(pairwiseKappa(ratings, { weights: 'linear' }).pairs[0]!.agreement.categories).toEqual([1, 2, 3]);
});
