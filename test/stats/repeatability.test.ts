import { describe, expect, test } from 'vitest';

import { repeatabilityLimit, studentPoint } from '../../src/stats/repeatability.ts';

describe('studentPoint', () => {
  // scipy 1.17.1: stats.t.ppf((1 + probability) / 2, degrees)
  test.each([
    [0.95, 1, 12.706204736174694],
    [0.95, 2, 4.302652729749462],
    [0.95, 3, 3.1824463052837078],
    [0.95, 4, 2.7764451051977934],
    [0.95, 9, 2.262157162798205],
    [0.95, 10, 2.228138851986274],
    [0.95, 30, 2.0422724563012378],
    [0.95, 99, 1.9842169515864174],
    [0.99, 7, 3.4994832973504924],
  ])('%d with %d degrees of freedom', (probability, degrees, expected) => {
    expect(studentPoint(probability, degrees) / expected).toBeCloseTo(1, 12);
  });

  test('what is no probability and no number of degrees is refused', () => {
    expect(() => studentPoint(1, 3)).toThrow(RangeError);
    expect(() => studentPoint(0.95, 0)).toThrow(RangeError);
    expect(() => studentPoint(0.95, 1.5)).toThrow(RangeError);
  });
});

describe('repeatabilityLimit', () => {
  test('t × √2 × sd', () => {
    expect(repeatabilityLimit(0.01, 3).value).toBeCloseTo(4.302652729749462 * Math.SQRT2 * 0.01, 12);
    // Two runs tell very little: t is 12.7.
    expect(repeatabilityLimit(0.01, 2).value).toBeCloseTo(0.17969287, 7);
  });

  test('a spread that is not there, or not known, gives no limit', () => {
    expect(repeatabilityLimit(0, 3)).toEqual({ value: null, undefined: 'every run has the same value' });
    expect(repeatabilityLimit(null, 1)).toEqual({ value: null, undefined: 'fewer than two runs have a value' });
  });
});
