import { describe, expect, it } from 'vitest';
import { add, divide, exactProduct, exactSum, multiply, ONE, scaled } from '../../src/stats/double-double.ts';

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
    const third = divide(ONE, 3);
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
