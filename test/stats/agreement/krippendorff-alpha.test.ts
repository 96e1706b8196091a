import { describe, expect, it } from 'vitest';

import { krippendorffAlpha } from '../../../src/stats/agreement/krippendorff-alpha.ts';
import { ABSTRACTORS, DIAGNOSES, TWELVE_UNITS } from './worked-examples.ts';

const quick = { interval: false } as const;

/** Two observers of the paper, one character a unit. */
const pairs = (first: string, second: string): string[][] => [...first].map((rating, at) => [rating, second[at]!]);

// Exact values by Python's fractions over coincidence matrices, as the paper builds them; three digits as published.
describe("Krippendorff's alpha (Krippendorff 2011)", () => {
  it('is .095 for two observers and binary data (example A)', () => {
    const found = krippendorffAlpha(pairs('0100000010', '1110010000'), quick);
    expect(found.value).toBeCloseTo(2 / 21, 12);
    expect(found.value?.toFixed(3)).toBe('0.095');
    expect(found.of).toBe('disagreement');
    expect(found.observed).toBeCloseTo(4 / 10, 12);
    expect(found.expected).toBeCloseTo(42 / 95, 12);
  });

  it('is .692 for two observers and nominal data (example B)', () => {
    const found = krippendorffAlpha(pairs('aabbdcccedda', 'babbbccceddd'), quick);
    expect(found.value).toBeCloseTo(155 / 224, 12);
    expect(found.value?.toFixed(3)).toBe('0.692');
  });

  it.each([
    ['nominal', 113 / 152, '0.743'],
    ['ordinal', 108577 / 133160, '0.815'],
    ['interval', 951 / 1120, '0.849'],
    ['ratio', 18222619 / 22852465, '0.797'],
  ] as const)('is, %s, %d for four observers with gaps (example C)', (metric, exact, published) => {
    const found = krippendorffAlpha(TWELVE_UNITS, { ...quick, metric });
    expect(found.value).toBeCloseTo(exact, 12);
    expect(found.value?.toFixed(3)).toBe(published);
    expect(found).toMatchObject({ n: 11, left: 1, raters: 4 });
    expect(found.notes).toContain('1 of 12 items have fewer than two ratings and leave alpha');
  });

  it('reports disagreement in the unit of the metric', () => {
    const interval = krippendorffAlpha(TWELVE_UNITS, { ...quick, metric: 'interval' });
    expect(interval.observed).toBeCloseTo(13 / 30, 12);
    expect(interval.expected).toBeCloseTo(112 / 39, 12);
    const ordinal = krippendorffAlpha(TWELVE_UNITS, { ...quick, metric: 'ordinal' });
    expect(ordinal.observed).toBeCloseTo(1891 / 40, 12);
    expect(ordinal.expected).toBeCloseTo(3329 / 13, 9);
  });

  it('agrees with the figures in the documentation of irrCAC', () => {
    expect(krippendorffAlpha(ABSTRACTORS, quick).value).toBeCloseTo(8608 / 10797, 12);
    expect(krippendorffAlpha(DIAGNOSES.slice(0, 15), quick).value).toBeCloseTo(6521 / 15510, 12);
    expect([(8608 / 10797).toFixed(7), (6521 / 15510).toFixed(7)]).toEqual(['0.7972585', '0.4204384']);
  });

  it('takes words on an ordinal scale once their order is declared', () => {
    const words = ['none', 'mild', 'moderate', 'severe', 'worst'];
    const said = TWELVE_UNITS.map((row) => row.map((rating) => (rating === null ? null : words[Number(rating) - 1]!)));
    expect(krippendorffAlpha(said, { ...quick, metric: 'ordinal', categories: words }).value).toBeCloseTo(
      108577 / 133160,
      12,
    );
    expect(() => krippendorffAlpha(said, { metric: 'ordinal' })).toThrow('order of the categories is needed');
  });

  it('does not change when all values move or are measured in another unit', () => {
    const moved = TWELVE_UNITS.map((row) =>
      row.map((rating) => (rating === null ? null : 1e9 + 1e-3 * Number(rating))),
    );
    expect(krippendorffAlpha(moved, { ...quick, metric: 'interval' }).value).toBeCloseTo(951 / 1120, 3);
    const huge = TWELVE_UNITS.map((row) => row.map((rating) => (rating === null ? null : 1e300 * Number(rating))));
    const found = krippendorffAlpha(huge, { ...quick, metric: 'interval' });
    expect(found.value).toBeCloseTo(951 / 1120, 12);
    expect([found.observed, found.expected]).toEqual([null, null]);
    expect(krippendorffAlpha(huge, { ...quick, metric: 'ratio' }).value).toBeCloseTo(18222619 / 22852465, 12);
  });

  it('has 0 as a value on a ratio scale', () => {
    // Pairs 0-0 and 0-1: δ(0, 1) = 1. Do = 2/4, De = 2 · 3 / 12: alpha 0.
    expect(
      krippendorffAlpha(
        [
          [0, 0],
          [0, 1],
        ],
        { ...quick, metric: 'ratio' },
      ).value,
    ).toBeCloseTo(0, 12);
  });
});
