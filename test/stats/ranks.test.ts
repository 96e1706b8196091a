import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { averageRanks, rankCorrelation, signedRanks } from '../../src/stats/ranks.ts';

describe('averageRanks', () => {
  it.each([
    [[], [], []],
    [[7], [1], [1]],
    [
      [30, 10, 20],
      [3, 1, 2],
      [1, 1, 1],
    ],
    [
      [3, 1, 3, 2],
      [3.5, 1, 3.5, 2],
      [1, 1, 2],
    ],
    [[5, 5, 5], [2, 2, 2], [3]],
    [
      [0, -0, 1],
      [1.5, 1.5, 3],
      [2, 1],
    ],
    [
      [Infinity, 1, Infinity],
      [2.5, 1, 2.5],
      [1, 2],
    ],
  ])('of %j are %j with groups %j', (values, ranks, groups) => {
    expect(averageRanks(values)).toEqual({ ranks, groups });
  });

  it('add up to n (n + 1) / 2, groups to n, and keep the order of the values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 30 }), (values) => {
        const { ranks, groups } = averageRanks(values);
        const n = values.length;
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBe((n * (n + 1)) / 2);
        expect(groups.reduce((sum, size) => sum + size, 0)).toBe(n);
        for (const [i, a] of values.entries())
          for (const [j, b] of values.entries()) expect(Math.sign(ranks[i]! - ranks[j]!)).toBe(Math.sign(a - b));
      }),
      { seed: 42, numRuns: 100 },
    );
  });
});

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

// |d| = 0 0 1 1 2 4
const DIFFERENCES = [2, 0, -1, 1, 0, 4];

describe('signedRanks', () => {
  it('leaves zeros out first with wilcox', () => {
    // ranks 1.5 1.5 3 4; 4·5/4 = 5; (4·5·9 − (8 − 2)/2) / 24 = 177/24
    const found = signedRanks(DIFFERENCES, 'wilcox');
    expect(found).toMatchObject({ plus: 8.5, minus: 1.5, split: 0, ranked: 4, zeros: 2, ties: true, mean: 5 });
    expect(found.deviation).toBe(Math.sqrt(177 / 24));
  });

  it('ranks zeros and then leaves them out with pratt', () => {
    // ranks 1.5 1.5 3.5 3.5 5 6; 6·7/4 − 2·3/4 = 9; (6·7·13 − 2·3·5 − 6/2) / 24 = 513/24
    const found = signedRanks(DIFFERENCES, 'pratt');
    expect(found).toMatchObject({ plus: 14.5, minus: 3.5, split: 0, ranked: 6, zeros: 2, mean: 9 });
    expect(found.deviation).toBe(Math.sqrt(513 / 24));
  });

  it('gives half of the ranks of zeros to each side with zsplit', () => {
    // 6·7/4 = 10.5; (6·7·13 − (6 + 6)/2) / 24 = 540/24
    const found = signedRanks(DIFFERENCES, 'zsplit');
    expect(found).toMatchObject({ plus: 16, minus: 5, split: 1.5, ranked: 6, zeros: 2, mean: 10.5 });
    expect(found.deviation).toBe(Math.sqrt(540 / 24));
  });

  it('keeps only the ranks of pairs that differ, in the order given', () => {
    expect(signedRanks(DIFFERENCES, 'pratt').ranks).toEqual([5, 3.5, 3.5, 6]);
  });
});
