import { describe, expect, it } from 'vitest';

import { niceTicks, ticksOver, tickText, ticksWithin } from '../../../src/report/svg/ticks.ts';

describe('ticks', () => {
  it('step by 1, 2 or 5 and hold both ends', () => {
    expect(niceTicks(0, 0.23, 4)).toEqual({ step: 0.05, values: [0, 0.05, 0.1, 0.15, 0.2, 0.25], ends: [0, 0.25] });
    expect(niceTicks(0.7, 0.9, 5).values).toEqual([0.7, 0.75, 0.8, 0.85, 0.9]);
    expect(niceTicks(18, 61, 5).values).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(niceTicks(-3, 3, 3).values).toEqual([-4, -2, 0, 2, 4]);
  });

  it('give a single value room, within the bounds of what is shown', () => {
    expect(niceTicks(0, 0, 2).ends).toEqual([-1, 1]);
    expect(niceTicks(0, 0, 2, [0, 1]).ends).toEqual([0, 1]);
    expect(niceTicks(1, 1, 2, [0, 1]).ends).toEqual([0.9, 1]);
    expect(niceTicks(50, 50, 5).ends).toEqual([44, 56]);
  });

  it('come to an end for values of any size', () => {
    for (const value of [1e-300, 1e-13, 1e-9, 1e15, -1e15, -1e-13])
      for (const other of [value, 0, value + 1e-12, 1e15, -1e15]) {
        const { values, ends } = ticksOver([value, other], 5, [0, 1]);
        expect(values.every(Number.isFinite)).toBe(true);
        expect(ends[1]).toBeGreaterThan(ends[0]);
        expect(values.length).toBeLessThan(15);
      }
  });

  it('keep the ends of an axis that must not grow', () => {
    expect(ticksWithin(-1.2, 80.9, 6)).toEqual({
      step: 10,
      values: [0, 10, 20, 30, 40, 50, 60, 70, 80],
      ends: [-1.2, 80.9],
    });
  });

  it('are written with the decimals of the step', () => {
    expect([tickText(0.3, 0.05), tickText(0.3, 0.1), tickText(3, 1)]).toEqual(['0.30', '0.3', '3']);
    const large = [tickText(12_000, 2000), tickText(2_500_000, 500_000), tickText(1e15, 1e14)];
    expect(large).toEqual(['12,000', '2.5e6', '1e15']);
  });
});
