import { describe, expect, it } from 'vitest';

import {
  add,
  divide,
  exactProduct,
  exactSum,
  exp,
  log,
  multiply,
  UNIT,
  scaled,
} from '../../src/stats/double-double.ts';

describe('double-double', () => {
  it('keeps what the sum of two doubles loses', () => {
    expect(exactSum(1, 2 ** -60)).toEqual([1, 2 ** -60]);
    expect(exactSum(2 ** -60, 1)).toEqual([1, 2 ** -60]);
  });

  it('keeps what the product of two doubles loses', () => {
    // (1 + 2^-40)² = 1 + 2^-39 + 2^-80
    const x = 1 + 2 ** -40;
    expect(exactProduct(x, x)).toEqual([1 + 2 ** -39, 2 ** -80]);
  });

  it('adds, multiplies and divides with about a hundred bits', () => {
    const third = divide(UNIT, 3);
    const [high, low] = add(multiply(third, [3, 0]), [-1, 0]);
    expect(Math.abs(high + low)).toBeLessThan(2 ** -100);
    expect(third[1]).not.toBe(0);
  });

  it('scales by powers of two that are no doubles themselves, rounding once', () => {
    expect(scaled(2 ** 300, -1300)).toBe(2 ** -1000);
    expect(scaled(2 ** -300, 1300)).toBe(2 ** 1000);
    expect(scaled(1.5, -1074)).toBe(2 ** -1073);
    expect(scaled(1, -2000)).toBe(0);
  });
});

// Values of mpmath 1.3 with 40 digits, rounded to the nearest double.
describe('exp', () => {
  it.each([
    [0, 1],
    [1, Math.E],
    [-1, 0.36787944117144233],
    [10, 22026.465794806718],
    [-0.5, 0.6065306597126334],
    [-100.5, 2.256340135917036e-44],
    [700, 1.0142320547350045e304],
    [-700, 9.85967654375977e-305],
    [1e-10, 1.0000000001],
    [-744.5, 5e-324],
  ])('of %d is the nearest double, %d', (x, expected) => {
    expect(exp(x)).toBe(expected);
  });

  it('ends in 0 and Infinity where doubles end', () => {
    expect(exp(-746)).toBe(0);
    expect(exp(-Infinity)).toBe(0);
    expect(exp(710)).toBe(Infinity);
    expect(exp(NaN)).toBeNaN();
  });
});

describe('log', () => {
  it.each([
    [1, 0],
    [2, Math.LN2],
    [10, Math.LN10],
    [0.5, -Math.LN2],
    [1e-300, -690.7755278982137],
    [0.999999, -1.000000500029089e-6],
    [5e-324, -744.4400719213812],
    [1e300, 690.7755278982137],
  ])('of %d is the nearest double, %d', (x, expected) => {
    expect(log(x)).toBe(expected);
  });

  it('is −Infinity at 0 and NaN below', () => {
    expect(log(0)).toBe(-Infinity);
    expect(log(-1)).toBeNaN();
  });
});
