import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/data/problems.ts';
import { cohenDz, rankBiserial } from '../../src/stats/effect-size.ts';

describe('cohenDz', () => {
  it('works out by hand: 1 2 3 have mean 2 and deviation 1', () => {
    expect(cohenDz([1, 2, 3])).toEqual({ value: 2, undefined: null, n: 3 });
    expect(cohenDz([-3, -2, -1])).toEqual({ value: -2, undefined: null, n: 3 });
    expect(cohenDz([1, -1])).toEqual({ value: 0, undefined: null, n: 2 });
  });

  // numpy 2.4: mean(d) / std(d, ddof=1)
  it.each([
    [[0.2, -0.6, 0.5, 1.1, 1.5, -1.7], 0.14256648712805028],
    [[1, 0, 0, 1, 1, -1, 1, 0, 1, 1], 0.7071067811865475],
    [[0.02, 0.06, -0.03, 0.1, -0.02, 0.11], 0.670401523153991],
  ])('of %j is %d, in any order', (differences, expected) => {
    const { value } = cohenDz(differences);
    expect(value).toBeCloseTo(expected, 14);
    expect(cohenDz(differences.toReversed()).value).toBe(value);
  });

  it('does not mind how large or small the numbers are', () => {
    expect(cohenDz([1e308, -1e308, 1e308]).value).toBeCloseTo(cohenDz([1, -1, 1]).value!, 14);
    expect(cohenDz([1e-300, 2e-300, 3e-300]).value).toBeCloseTo(2, 14);
  });

  it('is undefined without pairs, with one pair and without spread, with the reason', () => {
    expect(cohenDz([])).toEqual({ value: null, undefined: 'there are no pairs', n: 0 });
    expect(cohenDz([1])).toEqual({ value: null, undefined: 'one pair has no spread', n: 1 });
    expect(cohenDz([0, 0, 0]).undefined).toMatch(/all differences are the same/);
    expect(cohenDz([0.1, 0.1, 0.1]).undefined).toMatch(/all differences are the same/);
    // The same but for rounding: each is 0.1 on paper.
    expect(cohenDz([0.3 - 0.2, 0.4 - 0.3, 0.9 - 0.8]).undefined).toMatch(/all differences are the same/);
  });

  it('refuses numbers that are not finite', () => {
    expect(() => cohenDz([1, NaN])).toThrow(UsageError);
  });
});

describe('rankBiserial', () => {
  it('works out by hand: 3 −1 2 have rank sums 5 and 1', () => {
    expect(rankBiserial([3, -1, 2])).toEqual({ value: 4 / 6, undefined: null, n: 3 });
    expect(rankBiserial([-3, 1, -2])).toEqual({ value: -4 / 6, undefined: null, n: 3 });
  });

  it('leaves zeros out and shares ranks between ties', () => {
    // |d| 1 1 2: ranks 1.5 1.5 3; (4.5 − 1.5) / 6
    expect(rankBiserial([0, 1, -1, 0, 2])).toEqual({ value: 0.5, undefined: null, n: 3 });
  });

  it('is 1 when all differences are positive and −1 when all are negative', () => {
    expect(rankBiserial([0.1, 5, 2]).value).toBe(1);
    expect(rankBiserial([-0.1, -5, -2]).value).toBe(-1);
  });

  it('is undefined when no pair differs, with the reason', () => {
    expect(rankBiserial([])).toEqual({ value: null, undefined: 'there are no pairs', n: 0 });
    expect(rankBiserial([0, 0])).toEqual({ value: null, undefined: 'no pair differs', n: 0 });
  });

  it('refuses numbers that are not finite', () => {
    expect(() => rankBiserial([1, -Infinity])).toThrow(UsageError);
  });
});
