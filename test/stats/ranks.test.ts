import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageRanks } from '../../src/stats/ranks.ts';

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
