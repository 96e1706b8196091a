import { describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { binomialHalf, mcnemar } from '../../src/stats/mcnemar.ts';

describe('mcnemar', () => {
  it('gives the p values of the example of Fagerland et al. (2013), table 1: 1 and 7 discordant pairs', () => {
    // 2 · (1 + 8) / 256, and 8 / 256 less
    expect(mcnemar(1, 7)).toEqual({
      b: 1,
      c: 7,
      discordant: 8,
      pValue: 18 / 256,
      midP: 10 / 256,
      undefined: null,
    });
  });

  // Binomial sums as whole numbers of any size in Python, rounded once; scipy.stats.binomtest(b, b + c).pvalue agrees
  // to 1e-13.
  it.each([
    [0, 5, 0.0625, 0.03125],
    [3, 10, 0.09228515625, 0.057373046875],
    [12, 30, 0.007915897334896727, 0.005401572654591291],
    [100, 140, 0.011664092317677663, 0.00983154117860871],
    [480, 520, 0.21744829320414094, 0.20610731083295322],
    [0, 60, 1.734723475976807e-18, 8.673617379884035e-19],
    [4900, 5200, 0.002926506228023248, 0.002834312742143627],
    [10, 1000, 5.359574874624727e-281, 2.7065313400862328e-281],
    [49_500, 50_400, 0.004450535387148858, 0.004406733105528775],
  ])('of %i and %i is %d, mid-p %d, whichever comes first', (b, c, p, midP) => {
    for (const found of [mcnemar(b, c), mcnemar(c, b)]) {
      expect(found.pValue).toBe(p);
      expect(Math.abs(found.midP! / midP - 1)).toBeLessThan(1e-15);
      expect(found.undefined).toBeNull();
    }
  });

  it('of equal counts is 1, and mid-p 1 less half the chance of them', () => {
    // C(10, 5) / 2^10 = 252 / 1024
    expect(mcnemar(5, 5)).toMatchObject({ pValue: 1, midP: 1 - 126 / 1024 });
  });

  it('is undefined when no pair differs', () => {
    expect(mcnemar(0, 0)).toEqual({
      b: 0,
      c: 0,
      discordant: 0,
      pValue: null,
      midP: null,
      undefined: 'no pair differs',
    });
  });

  it('says that a p value of 0 is too small to be written', () => {
    expect(mcnemar(3, 1200)).toMatchObject({ pValue: 0, note: expect.stringMatching(/smaller than the smallest/) });
  });

  it.each([
    [-1, 3],
    [3, 0.5],
    [NaN, 3],
    [3, Infinity],
    [10_000_000, 1],
  ])('refuses %d and %d', (b, c) => {
    expect(() => mcnemar(b, c)).toThrow(UsageError);
  });
});

describe('binomialHalf', () => {
  it('of one head in eight throws is 8 of 256, of at most one 9 of 256', () => {
    expect(binomialHalf(1, 8)).toEqual({ exactly: 8 / 256, atMost: 9 / 256 });
    expect(binomialHalf(0, 8)).toEqual({ exactly: 1 / 256, atMost: 1 / 256 });
    expect(binomialHalf(8, 8)).toEqual({ exactly: 1 / 256, atMost: 1 });
    expect(binomialHalf(0, 0)).toEqual({ exactly: 1, atMost: 1 });
  });

  it('of at most half the heads in an odd number of throws is one half, however many', () => {
    for (const n of [1, 3, 99, 1001, 20_001]) expect(binomialHalf((n - 1) / 2, n).atMost).toBe(0.5);
  });
});
