import { describe, expect, it } from 'vitest';

import { fleissKappa } from '../../../src/stats/agreement/fleiss-kappa.ts';
import { countTable, DIAGNOSES, TWELVE_UNITS } from './worked-examples.ts';

const quick = { interval: false } as const;

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
