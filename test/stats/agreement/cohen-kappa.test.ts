import { describe, expect, it } from 'vitest';

import { cohenKappa, pairwiseKappa } from '../../../src/stats/agreement/cohen-kappa.ts';
import { ABSTRACTORS, BALANCED, crossTable, SKEWED } from './worked-examples.ts';

// Fractions are exact values of the published tables, by Python's fractions from the definition with all weights.
const quick = { interval: false } as const;

describe("Cohen's kappa", () => {
  it('is 0.492 for the table of Cohen 1960', () => {
    const found = cohenKappa(
      crossTable([
        [88, 14, 18],
        [10, 40, 10],
        [2, 6, 12],
      ]),
      quick,
    );
    expect(found.value).toBeCloseTo(29 / 59, 12);
    expect(found.value?.toFixed(3)).toBe('0.492');
    expect(found.observed).toBeCloseTo(0.7, 12);
    expect(found.expected).toBeCloseTo(0.41, 12);
    expect(found).toMatchObject({ n: 200, raters: 2, left: 0, undefined: null, categories: [1, 2, 3], notes: [] });
  });

  it('is 0.7964 for the abstractors of Gwet 2014', () => {
    expect(cohenKappa(ABSTRACTORS, quick).value).toBeCloseTo(4303 / 5403, 12);
    expect((4303 / 5403).toFixed(7)).toBe('0.7964094');
  });

  it('is 0.70 and 0.32 for the two tables of Feinstein and Cicchetti 1990', () => {
    expect(cohenKappa(BALANCED, quick).value).toBeCloseTo(291 / 416, 12);
    expect(cohenKappa(SKEWED, quick).value).toBeCloseTo(7 / 22, 12);
  });

  it('is 0 where a rater said the same all the time, and says so', () => {
    const found = cohenKappa(
      [
        ['a', 'b'],
        ['a', 'a'],
        ['a', 'b'],
      ],
      quick,
    );
    expect(found.value).toBe(0);
    expect(found.notes.join()).toContain('rater 1 used one category only');
  });

  it('leaves items out that lack a rating, and counts them', () => {
    const found = cohenKappa(
      [
        ['a', 'a'],
        ['b', null],
        [null, 'b'],
        ['b', 'b'],
        [null, null],
      ],
      quick,
    );
    expect(found).toMatchObject({ value: 1, n: 2, left: 3 });
    expect(found.notes).toContain("3 of 5 items lack a rating and leave Cohen's kappa");
  });

  it('takes booleans, and the same value for either order of the raters', () => {
    const rows: [boolean, boolean][] = [
      [true, true],
      [true, false],
      [false, false],
      [true, true],
    ];
    // po 3/4, pe = 3/4 · 1/2 + 1/4 · 1/2 = 1/2.
    expect(cohenKappa(rows, quick).value).toBeCloseTo(0.5, 12);
    expect(
      cohenKappa(
        rows.map(([a, b]) => [b, a]),
        quick,
      ).value,
    ).toBeCloseTo(0.5, 12);
  });
});

describe("weighted Cohen's kappa", () => {
  // Two radiologists, 85 xeromammograms, in four grades: Altman 1991, Practical Statistics for Medical Research, p. 404.
  const mammograms = crossTable([
    [21, 12, 0, 0],
    [4, 17, 1, 0],
    [3, 9, 15, 2],
    [0, 0, 0, 1],
  ]);

  it('is 0.473 unweighted and 0.568 with linear weights for the mammograms of Altman 1991', () => {
    expect(cohenKappa(mammograms, quick).value).toBeCloseTo(139 / 294, 12);
    const linear = cohenKappa(mammograms, { ...quick, weights: 'linear' });
    expect(linear.value).toBeCloseTo(1903 / 3348, 12);
    // As Stata's manual prints them: agreement 86.67 %, expected 69.11 %, kappa 0.5684.
    expect([linear.observed?.toFixed(4), linear.expected?.toFixed(4), linear.value?.toFixed(4)]).toEqual([
      '0.8667',
      '0.6911',
      '0.5684',
    ]);
    expect(cohenKappa(mammograms, { ...quick, weights: 'quadratic' }).value).toBeCloseTo(3473 / 5173, 12);
  });

  it('is 0.4842 and with linear weights 0.4701 for the 3 by 3 table that SAS PROC FREQ prints', () => {
    const table = crossTable([
      [0, 4, 1],
      [0, 8, 0],
      [0, 1, 5],
    ]);
    expect(cohenKappa(table, quick).value).toBeCloseTo(107 / 221, 12);
    expect(cohenKappa(table, { ...quick, weights: 'linear' }).value).toBeCloseTo(118 / 251, 12);
    expect(cohenKappa(table, { ...quick, weights: 'quadratic' }).value).toBeCloseTo(140 / 311, 12);
    expect([(107 / 221).toFixed(4), (118 / 251).toFixed(4)]).toEqual(['0.4842', '0.4701']);
  });

  // Raters 2 and 3 of the anxiety data of R's irr, whose kappa2 prints 0.1459075 (equal) and 0.2520325 (squared).
  const second = [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4];
  const third = [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2];
  const anxiety = second.map((rating, at) => [rating, third[at]!]);

  it('counts steps between the categories that occur, as irr does, and says that 5 never did', () => {
    const linear = cohenKappa(anxiety, { ...quick, weights: 'linear' });
    expect(linear.value).toBeCloseTo(41 / 281, 12);
    expect(linear.value?.toFixed(7)).toBe('0.1459075');
    expect(linear.notes.join()).toContain('4 and 6 as neighbours');
    expect(cohenKappa(anxiety, { ...quick, weights: 'quadratic' }).value?.toFixed(7)).toBe('0.2520325');
  });

  it('counts all steps where the categories are declared', () => {
    const categories = [1, 2, 3, 4, 5, 6];
    const linear = cohenKappa(anxiety, { ...quick, weights: 'linear', categories });
    expect(linear.value).toBeCloseTo(13 / 103, 12);
    expect(linear.notes).toEqual([]);
    expect(cohenKappa(anxiety, { ...quick, weights: 'quadratic', categories }).value).toBeCloseTo(91 / 396, 12);
  });

  it('does not depend on weights where there are two categories', () => {
    for (const weights of ['linear', 'quadratic'] as const)
      expect(cohenKappa(SKEWED, { ...quick, weights }).value).toBeCloseTo(7 / 22, 12);
  });
});

const RATINGS = [
  ['a', 'a', 'a', 'a'],
  ['b', 'b', 'b', null],
  ['a', 'b', 'a', null],
  ['b', 'b', 'a', null],
];

it('gives kappa for every two raters, and the mean of those that have one', () => {
  const found = pairwiseKappa(RATINGS);
  expect(found.pairs.map(({ a, b }) => [a, b])).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ]);
  // 0 and 1: po 3/4, pe 1/2; 0 and 2: po 3/4, pe 1/2; 1 and 2: po 1/2, pe = 1/4 · 3/4 + 3/4 · 1/4 = 3/8.
  expect(found.pairs[0]!.agreement.value).toBeCloseTo(1 / 2, 12);
  expect(found.pairs[1]!.agreement.value).toBeCloseTo(1 / 2, 12);
  expect(found.pairs[3]!.agreement.value).toBeCloseTo(1 / 5, 12);
  expect(found.pairs[2]!.agreement).toMatchObject({ value: null, n: 1, left: 3, interval: null });
  expect(found.undefinedPairs).toBe(3);
  expect(found.mean).toBeCloseTo(0.4, 12);
});

it('says so when no pair has a kappa, and does not hide rows of different length', () => {
  expect(pairwiseKappa([['a', 'a']])).toMatchObject({ mean: null, undefined: 'no two raters have a kappa' });
  expect(() => pairwiseKappa([['a', 'a'], ['a']])).toThrow('row 2');
});

it('counts the steps of weights over the categories of all raters', () => {
  // Raters 1 and 2 never say 2, yet 1 and 3 are two steps apart because rater 3 does.
  const ratings = [
    [1, 1, 1],
    [3, 3, 3],
    [1, 3, 2],
  ];
  expect(pairwiseKappa(ratings, { weights: 'linear' }).pairs[0]!.agreement.categories).toEqual([1, 2, 3]);
});
