import { expect, test } from 'vitest';

import { differingCases } from '../../../../web/src/report/compare/differing.ts';

test('a case differs where its value does, or where one run has none', () => {
  expect(differingCases({ wins: 2, losses: 1, ties: 3, withoutPair: 1, differing: 6 })).toBe(4);
  expect(differingCases({ wins: 0, losses: 0, ties: 7, withoutPair: 0, differing: 5 })).toBe(0);
});

test('where no case has a value of its own, its counts are looked at', () => {
  expect(differingCases({ wins: 0, losses: 0, ties: 0, withoutPair: 0, differing: 7 })).toBe(7);
});
