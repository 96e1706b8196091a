import { expect, test } from 'vitest';

import { pairwiseSum } from '../../src/measure/pairwise-sum.ts';

test('short lists add up from left to right', () => {
  expect(pairwiseSum([])).toBe(0);
  expect(pairwiseSum([0.1, 0.2, 0.3])).toBe(0.1 + 0.2 + 0.3);
  expect(Object.is(pairwiseSum([-0]), -0)).toBe(true);
});

// np.sum(1 / np.arange(1, n + 1)), numpy 2.4.6: below 8, one block of 128, and halves.
test.each([
  [7, 2.5928571428571425],
  [8, 2.7178571428571425],
  [100, 5.187377517639621],
  [128, 5.433147092589173],
  [129, 5.440899030573669],
  [1000, 7.485470860550345],
  [4321, 8.94857351032533],
])('the first %i parts of the harmonic series have numpy’s bits', (n, expected) => {
  expect(pairwiseSum(Array.from({ length: n }, (_, at) => 1 / (at + 1)))).toBe(expected);
});

test('a stretch of a list', () => {
  expect(pairwiseSum([9, 1, 2, 3, 9], 1, 3)).toBe(6);
});
