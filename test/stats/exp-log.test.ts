import { describe, expect, it } from 'vitest';
import { exp, log } from '../../src/stats/exp-log.ts';

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
