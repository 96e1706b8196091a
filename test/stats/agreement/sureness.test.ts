import { expect, test } from 'vitest';

import { pairSums } from '../../../src/stats/agreement/sureness.ts';

test('the sums of a pair are over its units, each as often as it was drawn', () => {
  const entries = [
    { unit: 0, pair: 0, sums: [1, 2] },
    { unit: 0, pair: 1, sums: [3, 4] },
    { unit: 1, pair: 0, sums: [5, 6] },
  ];
  const sumsOf = pairSums(entries, 2, 2);
  expect([...sumsOf(Float64Array.of(1, 1))]).toEqual([6, 8, 3, 4]);
  expect([...sumsOf(Float64Array.of(2, 0))]).toEqual([2, 4, 6, 8]);
  expect([...sumsOf(Float64Array.of(0, 3))]).toEqual([15, 18, 0, 0]);
});
