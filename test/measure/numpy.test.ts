import { expect, test } from 'vitest';
import { pairwiseSum, percentile } from '../../src/measure/numpy.ts';

// Place q (n − 1) between neighbours; [1, 2, 3, 4] at 0.25: place 0.75.
test.each([
  [[1, 2, 3, 4], 0, 1],
  [[1, 2, 3, 4], 0.25, 1.75],
  [[1, 2, 3, 4], 0.5, 2.5],
  [[1, 2, 3, 4], 1, 4],
  [[7], 0.3, 7],
  [[-1, 5], 0.5, 2],
])('of %j at %d it is %d', (sorted, q, expected) => {
  expect(percentile(sorted, q)).toBe(expected);
});

// np.percentile(v, 100 q) of numpy 2.4.6: the last bit shows from which neighbour the line is drawn.
test.each([
  [[0.1, 0.7], 0.3, 0.28],
  [[0.1, 0.7], 0.7, 0.5199999999999999],
  [[0.1, 0.2, 0.30000000000000004, 0.9], 0.975, 0.8549999999999999],
  [[0.1, 0.2, 0.30000000000000004, 0.9], 0.025, 0.10750000000000001],
  [[0.3333333333333333, 0.6666666666666666, 0.7142857142857143], 0.9, 0.7047619047619048],
])('numpy’s last bit: %j at %d', (sorted, q, expected) => {
  expect(percentile(sorted, q)).toBe(expected);
});

test('of nothing there is none', () => {
  expect(() => percentile([], 0.5)).toThrow(RangeError);
});

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
