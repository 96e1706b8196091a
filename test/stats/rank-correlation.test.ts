import { expect, test } from 'vitest';

import { rankCorrelation } from '../../src/stats/rank-correlation.ts';

test('is 1 for the same order, whatever the distances, and −1 for the order turned round', () => {
  expect(rankCorrelation([1, 2, 3], [10, 20, 1000])).toBe(1);
  expect(rankCorrelation([1, 2, 3], [3, 2, 1])).toBe(-1);
});

test('is Pearson’s of average ranks', () => {
  // 1 − 6 · (0 + 1 + 1) / (3 · 8) = 0.5.
  expect(rankCorrelation([1, 2, 3], [1, 3, 2])).toBeCloseTo(0.5, 12);
  // Ranks 1.5 1.5 3 4 and 1 2.5 2.5 4, less 2.5: −1 −1 0.5 1.5 and −1.5 0 0 1.5. 3.75 / √(4.5 · 4.5).
  expect(rankCorrelation([1, 1, 2, 3], [1, 2, 2, 3])).toBeCloseTo(3.75 / 4.5, 12);
});

test('is undefined where one side has one value, or there is nothing to put in order', () => {
  expect(rankCorrelation([2, 2, 2], [1, 2, 3])).toBeNull();
  expect(rankCorrelation([1], [1])).toBeNull();
  expect(rankCorrelation([], [])).toBeNull();
  expect(() => rankCorrelation([1], [])).toThrow(RangeError);
});
