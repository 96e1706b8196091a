import { describe, expect, it } from 'vitest';
import { binomialHalf } from '../../src/stats/binomial-half.ts';

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
