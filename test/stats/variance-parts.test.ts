import { describe, expect, test } from 'vitest';

import { varianceParts } from '../../src/stats/variance-parts.ts';

describe('varianceParts', () => {
  test('the worked example of Shrout & Fleiss (1979): ICC(1,1) is 0.17', () => {
    // Table 2 of Psychological Bulletin 86: six targets, four judges; mean squares 11.24 between and 6.26 within.
    const ratings = [
      [9, 2, 5, 8],
      [6, 1, 3, 2],
      [8, 4, 6, 8],
      [7, 1, 2, 6],
      [10, 5, 6, 9],
      [6, 2, 4, 7],
    ];
    const parts = varianceParts(ratings);
    expect(parts.betweenRuns).toBeCloseTo(6.263888888888889, 12);
    expect(parts.betweenCases).toBeCloseTo((11.241666666666667 - 6.263888888888889) / 4, 12);
    expect(1 - parts.runShare!).toBeCloseTo(0.16574176840547544, 12);
    expect(parts).toMatchObject({ cases: 6, runs: 4, undefined: null, note: null });
  });

  test('by hand: [0, 1] and [4, 5]', () => {
    // Within: 4 × 0.25 / 2 = 0.5. Between: 2 × (4 + 4) / 1 = 16. Of the cases: (16 - 0.5) / 2 = 7.75.
    expect(
      varianceParts([
        [0, 1],
        [4, 5],
      ]),
    ).toMatchObject({ betweenCases: 7.75, betweenRuns: 0.5, runShare: 0.5 / 8.25 });
  });

  test('runs that repeat to the letter have no share', () => {
    expect(
      varianceParts([
        [0.1, 0.1, 0.1],
        [0.7, 0.7, 0.7],
      ]).runShare,
    ).toBe(0);
  });

  test('cases that differ less than running again explains have no part of their own, and it is said', () => {
    const parts = varianceParts([
      [0, 1],
      [1, 0],
    ]);
    expect(parts).toMatchObject({ betweenCases: 0, runShare: 1 });
    expect(parts.note).toMatch(/no more from one another than running again/);
  });

  test('neither the order of the runs nor that of the cases shows, to the last bit', () => {
    const table = [
      [0.1, 0.7, 0.31],
      [0.2, 0.9, 0.17],
      [1 / 3, 0.6, 0.99],
    ];
    const turned = table.map((row) => row.toReversed()).toReversed();
    expect(varianceParts(turned)).toEqual(varianceParts(table));
  });

  test.each([
    ['one run', [[1], [2]], 'fewer than two runs'],
    ['nothing', [], 'fewer than two cases have a value in every run'],
    ['one case', [[0.5, 0.7]], 'fewer than two cases have a value in every run'],
    [
      'equal values',
      [
        [0.3, 0.3],
        [0.3, 0.3],
      ],
      'all values are equal: there is no variation to divide',
    ],
  ])('%s: undefined, and why', (_, values, reason) => {
    expect(varianceParts(values)).toMatchObject({
      betweenCases: null,
      betweenRuns: null,
      runShare: null,
      undefined: reason,
    });
  });

  test('a case without a value for every run is refused', () => {
    expect(() => varianceParts([[1, 2], [1]])).toThrow(RangeError);
  });
});
