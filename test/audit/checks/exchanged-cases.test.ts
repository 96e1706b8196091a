import { expect, test } from 'vitest';

import { exchangedByChance } from '../../../src/audit/checks/exchanged-cases.ts';

test('the chance that a case is exchanged is that of independent confusions, given one', () => {
  // One thing of each label, half of them confused: both in 1 of the 3 cases of 4 that have a confusion.
  expect(exchangedByChance([0.5, 0.5], [1, 1])).toBeCloseTo(1 / 3, 12);
  // Of five, four are enough: (5 · 0.5⁵ + 0.5⁵) · 0.5 of 1 − 0.5⁶.
  expect(exchangedByChance([0.5, 0.5], [5, 1])).toBeCloseTo(6 / 32 / 2 / (1 - 1 / 64), 12);
  expect(exchangedByChance([0, 0.5], [1, 1])).toBe(0);
  expect(exchangedByChance([0, 0], [1, 1])).toBe(0);
});
