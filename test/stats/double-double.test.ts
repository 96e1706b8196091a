import { describe, expect, it } from 'vitest';

import {
  add,
  cubeRoot,
  divide,
  exactProduct,
  exactSum,
  exp,
  log,
  multiply,
  power,
  scaled,
  trigonometry,
  UNIT,
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

describe('power', () => {
  it.each([
    [2, 0.5, Math.SQRT2],
    [0.025, 1 / 7, 0.5903836027749966],
    [3.3, 1.5, 5.994747701113033],
    [0.001, 4, 1.0000000000000002e-12],
    [7, -2.5, 0.007713560673657699],
    [1e300, 1.02, 1.0000000000000123e306],
  ])('of %d to the %d is the nearest double, %d', (base, exponent, expected) => {
    expect(power(base, exponent)).toBe(expected);
  });

  it('is 0 for a base of 0, and Infinity where doubles end', () => {
    expect([power(0, 0.5), power(0, 0), power(1e300, 2), power(Infinity, 2)]).toEqual([0, 1, Infinity, Infinity]);
  });
});

describe('cubeRoot', () => {
  it.each([
    [-27, -3],
    [2, 1.2599210498948732],
    [0.1, 0.4641588833612779],
    [1e-300, 1e-100],
    [5e-324, 1.7031839360032603e-108],
    [0, 0],
    [-Infinity, -Infinity],
  ])('of %d is the nearest double, %d', (x, expected) => {
    expect(cubeRoot(x)).toBe(expected);
  });
});

describe('trigonometry', () => {
  it.each([
    [0, 0, 1, 0],
    [1e-9, 1e-9, 1, 1e-9],
    [0.5, 0.479425538604203, 0.8775825618903728, 0.5463024898437905],
    [1.2, 0.9320390859672263, 0.3623577544766736, 2.5721516221263188],
  ])('of %d is the nearest doubles', (angle, sine, cosine, tangent) => {
    expect(trigonometry(angle)).toEqual({ sine, cosine, tangent });
  });
});
