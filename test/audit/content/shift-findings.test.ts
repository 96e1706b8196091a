import { expect, test } from 'vitest';

import { moveNumber } from '../../../src/audit/checks/content/near-places.ts';
import { isFault, type Off, type Pairs } from '../../../src/audit/checks/content/shift-findings.ts';
import { Evidence } from '../../../src/audit/evidence.ts';

/** So many spans that are off in one way, each in a case of its own. */
function off(spans: number, cutPredicted = spans): Off {
  const evidence = new Evidence();
  for (let at = 0; at < spans; at += 1)
    evidence.addItem({ case: `c${at}`, side: 'predicted', label: 'A', text: '', note: null });
  return { cutPredicted, cutGold: 0, lost: spans, breaks: 0, evidence };
}

/** 100 pairs in cases of two; those that are off are off as listed. */
function pairs(...moved: [start: number, end: number, n: number][]): Pairs {
  const all = moved.reduce((n, [, , more]) => n + more, 0);
  return {
    exact: 100 - all,
    cases: 50,
    moved: new Map(moved.map(([start, end, n]) => [moveNumber(start, end), n])),
    sizes: new Map([[2, 50]]),
  };
}

const BOTH = moveNumber(1, 1);

test('both ends off by one are a fault unless the ends move apart as often', () => {
  expect(isFault(BOTH, off(5), pairs([1, 1, 5]))).toBe(true);
  expect(isFault(BOTH, off(4), pairs([1, 1, 4]))).toBe(false);
  // 20 starts and 20 ends move alone beside 54 that do not: 20 · 20 / 54 = 7.4 would move together, 6 do.
  expect(isFault(BOTH, off(6), pairs([1, 1, 6], [1, 0, 20], [0, 1, 20]))).toBe(false);
  // As many are off the other way round: a system that is vague about boundaries.
  expect(isFault(BOTH, off(6), pairs([1, 1, 6], [1, -1, 6], [-1, 1, 6]))).toBe(false);
});

test('one end off is a fault if it cuts words more often than chance lets it', () => {
  const LAST = moveNumber(0, -1);
  // 20 of 100 are off: both of two in 50 · 0.2² = 2 cases by chance, and 10 cases are.
  expect(isFault(LAST, off(10), pairs([0, -1, 20]))).toBe(true);
  expect(isFault(LAST, off(10, 7), pairs([0, -1, 20]))).toBe(false);
  expect(isFault(LAST, off(9), pairs([0, -1, 20]))).toBe(false);
  // 45 of 100 are off: 50 · 0.45² = 10.1 cases by chance, so 12 are no sign of it.
  expect(isFault(LAST, off(12), pairs([0, -1, 45]))).toBe(false);
});
