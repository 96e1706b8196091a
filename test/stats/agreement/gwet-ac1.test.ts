import { describe, expect, it } from 'vitest';

import { gwetAc1 } from '../../../src/stats/agreement/gwet-ac1.ts';
import { ABSTRACTORS, BALANCED, crossTable, DIAGNOSES, SKEWED, TWELVE_UNITS } from './worked-examples.ts';

const quick = { interval: false } as const;

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
