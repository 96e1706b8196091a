import { describe, expect, it } from 'vitest';

import { cohenKappa } from '../../../src/stats/agreement/cohen-kappa.ts';
import { krippendorffAlpha } from '../../../src/stats/agreement/krippendorff-alpha.ts';
import { fleissKappa, gwetAc1, rawAgreement } from '../../../src/stats/agreement/pair-agreement.ts';
import { ABSTRACTORS, BALANCED, countTable, crossTable, DIAGNOSES, SKEWED, TWELVE_UNITS } from './worked-examples.ts';

const quick = { interval: false } as const;

it('is the mean over items of the pairs that agree', () => {
  const found = rawAgreement(
    [
      ['a', 'a', 'b'],
      ['c', 'c', 'c'],
    ],
    { interval: false },
  );
  expect(found.value).toBeCloseTo(2 / 3, 12);
  expect(found).toMatchObject({ observed: found.value, expected: null, n: 2, raters: 3 });
});

it('is 5/9 for Fleiss 1971 and 0.8181818 for the example of irrCAC with gaps', () => {
  expect(rawAgreement(DIAGNOSES, { interval: false }).value).toBeCloseTo(5 / 9, 12);
  expect(rawAgreement(TWELVE_UNITS, { interval: false })).toMatchObject({ n: 11, left: 1 });
  expect(rawAgreement(TWELVE_UNITS, { interval: false }).value).toBeCloseTo(9 / 11, 12);
});

it('is 1 for one category, with a word that this says little', () => {
  const found = rawAgreement([
    ['a', 'a'],
    ['a', 'a'],
  ]);
  expect(found).toMatchObject({ value: 1, interval: null });
  expect(found.notes.join()).toContain('only one category');
  expect(found.noInterval).toContain('same value');
});

describe("Fleiss' kappa", () => {
  it('is 0.430 for the thirty patients of Fleiss 1971', () => {
    const found = fleissKappa(DIAGNOSES, quick);
    // Exact by Python's fractions; R's irr prints 0.4302445.
    expect(found.value).toBeCloseTo(5437 / 12637, 12);
    expect(found.value?.toFixed(3)).toBe('0.430');
    expect(found.observed).toBeCloseTo(5 / 9, 12);
    expect(found.expected).toBeCloseTo(3563 / 16200, 12);
    expect(found).toMatchObject({ n: 30, raters: 6, left: 0 });
    expect(found.prevalence.map(({ count }) => count)).toEqual([26, 26, 30, 55, 43]);
    expect(found.prevalence[3]!.share).toBeCloseTo(55 / 180, 12);
  });

  it('is 0.4139 for the first fifteen of them, as the documentation of irrCAC prints it', () => {
    expect(fleissKappa(DIAGNOSES.slice(0, 15), quick).value).toBeCloseTo(214 / 517, 12);
    expect((214 / 517).toFixed(7)).toBe('0.4139265');
  });

  it('is 0.210 for the well-known ten subjects with fourteen raters', () => {
    const found = fleissKappa(
      countTable([
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
      ]),
      quick,
    );
    expect(found.value).toBeCloseTo(4211 / 20059, 12);
    expect(found.value?.toFixed(3)).toBe('0.210');
  });

  it('uses the items with most ratings and says how many leave', () => {
    const found = fleissKappa(TWELVE_UNITS, quick);
    // Units 2 to 9 have four ratings. Agreeing pairs: 1/2 + 1 + 1 + 1 + 0 + 1 + 1/2 + 1 = 6 of 8. Counts of 32 ratings:
    // four 1, thirteen 2, ten 3, five 4: Pe = (16 + 169 + 100 + 25) / 1024, so 1 − (1/4) / (714/1024) = 458/714.
    expect(found.value).toBeCloseTo(458 / 714, 12);
    expect(found).toMatchObject({ n: 8, left: 4 });
    expect(found.notes.join()).toMatch(/needs 4 ratings for every item: 4 of 12 items.*alpha/);
  });

  it('can be told how many ratings an item has; those with more leave too, because none of them may be chosen', () => {
    const found = fleissKappa(
      [
        ['a', 'a', null],
        ['a', 'b', null],
        [null, 'b', 'b'],
        ['a', 'a', 'a'],
        ['b', null, null],
      ],
      {
        ...quick,
        perItem: 2,
      },
    );
    // Three items: agreement 2/3; three a, three b: Pe = 1/2.
    expect(found.value).toBeCloseTo(1 / 3, 12);
    expect(found).toMatchObject({ n: 3, left: 2 });
    expect(() => fleissKappa([['a', 'a']], { perItem: 1 })).toThrow('perItem 1');
  });
});

// The formula is that of Gwet 2008. Figures of seven digits are those of the documentation of irrCAC, which is Gwet's own
// program for it; fractions are exact, by Python's fractions.
describe("Gwet's AC1", () => {
  it.each([
    ['the abstractors', ABSTRACTORS, 24803 / 29203, '0.8493305'],
    ['fifteen psychiatric patients', DIAGNOSES.slice(0, 15), 971 / 2183, '0.4448007'],
    ['four raters with gaps', TWELVE_UNITS, 31825 / 41041, '0.7754441'],
  ])('of %s', (_, ratings, exact, published) => {
    const { value } = gwetAc1(ratings, quick);
    expect(value).toBeCloseTo(exact, 12);
    expect(value?.toFixed(7)).toBe(published);
  });

  it('shows the parts of Gwet’s example with gaps: pa 0.8181818, pe 0.1903212', () => {
    const found = gwetAc1(TWELVE_UNITS, quick);
    expect(found.observed).toBeCloseTo(9 / 11, 12);
    expect(found.expected).toBeCloseTo(877 / 4608, 12);
    expect(found).toMatchObject({ n: 12, left: 0 });
    expect(found.notes.join()).toContain('1 of 12 items have one rating');
  });

  it('stays high where kappa falls: 0.941 for 118, 5, 2 and 0 items (Gwet 2002)', () => {
    const found = gwetAc1(
      crossTable([
        [118, 5],
        [2, 0],
      ]),
      quick,
    );
    expect(found.value).toBeCloseTo(27799 / 29549, 12);
    expect(found.value?.toFixed(4)).toBe('0.9408');
  });

  it('is 0.701 and 0.808 for the tables of Feinstein and Cicchetti 1990', () => {
    expect(gwetAc1(BALANCED, quick).value).toBeCloseTo(281 / 401, 12);
    expect(gwetAc1(SKEWED, quick).value).toBeCloseTo(101 / 125, 12);
  });

  it('is undefined for one category, and follows the formula where more are declared', () => {
    const same = [
      ['a', 'a'],
      ['a', 'a'],
    ];
    expect(gwetAc1(same)).toMatchObject({ value: null, interval: null, observed: 1, expected: null });
    expect(gwetAc1(same).undefined).toContain('only one category');
    const declared = gwetAc1(same, { categories: ['a', 'b'] });
    expect(declared).toMatchObject({ value: 1, undefined: null, expected: 0 });
    expect(declared.notes.join()).toContain('only one of the 2 declared categories');
  });

  it('counts declared categories that nobody used', () => {
    // π = 7/8 and 1/8, q = 3: pe = (7/64 + 7/64) / 2 = 7/64, half of what two categories give.
    const found = gwetAc1(SKEWED, { ...quick, categories: [1, 2, 3] });
    expect(found.expected).toBeCloseTo(7 / 64, 12);
  });
});

describe('the kappa paradox (Feinstein and Cicchetti 1990)', () => {
  it('is named with its figures where agreement is 0.85 and kappa 0.32', () => {
    const [note] = cohenKappa(SKEWED, quick).notes;
    expect(note).toMatch(/^the kappa paradox: /);
    // 175 of 200 ratings are of category 1; AC1 = 101/125.
    for (const figure of ['0.85', '0.318', '0.875', '0.78', '0.808', 'Feinstein and Cicchetti 1990'])
      expect(note).toContain(figure);
  });

  it("is named for Fleiss' kappa and nominal alpha too", () => {
    expect(fleissKappa(SKEWED, quick).notes.join()).toContain('yet kappa is 0.314');
    expect(krippendorffAlpha(SKEWED, quick).notes.join()).toContain('yet alpha is 0.318');
  });

  it('is not named where categories are balanced or kappa is high as well', () => {
    expect(cohenKappa(BALANCED, quick).notes).toEqual([]);
    expect(cohenKappa(ABSTRACTORS, quick).notes).toEqual([]);
  });

  it('bites from agreement 0.8 and a gap of 0.2 to AC1 on', () => {
    const table = (both: number, first: number, second: number, neither: number) =>
      [
        [both, ['y', 'y']],
        [first, ['y', 'n']],
        [second, ['n', 'y']],
        [neither, ['n', 'n']],
      ].flatMap(([times, row]) => Array.from({ length: Number(times) }, () => row as string[]));
    const named = (...counts: Parameters<typeof table>) =>
      cohenKappa(table(...counts), quick).notes.some((note) => note.startsWith('the kappa paradox'));
    expect(named(8, 1, 1, 0)).toBe(true);
    expect(named(79, 11, 10, 0)).toBe(false);
    // Agreement 0.9 and shares of 0.83 and 0.82: AC1 lies 0.215 and 0.197 above kappa.
    expect(named(78, 5, 5, 12)).toBe(true);
    expect(named(77, 5, 5, 13)).toBe(false);
  });
});
