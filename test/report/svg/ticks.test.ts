import { describe, expect, it } from 'vitest';

import { linearScale, logScale } from '../../../src/report/svg/scale.ts';
import { niceStep, niceTicks, ticksOver, tickText, ticksWithin } from '../../../src/report/svg/ticks.ts';

describe('scales', () => {
  it('a linear scale keeps shares of the way, also downwards', () => {
    expect(linearScale([0, 10], [100, 200])(2.5)).toBe(125);
    expect(linearScale([0, 0.5], [156, 6])(0.1)).toBeCloseTo(126, 12);
  });

  it('a log scale gives equal room to equal factors', () => {
    const x = logScale([250, 2000], [0, 90]);
    expect([250, 500, 1000, 2000].map(x)).toEqual([0, 30, 60, 90]);
  });
});

describe('niceTicks', () => {
  it('steps by 1, 2 or 5 and holds both ends', () => {
    expect(niceTicks(0, 0.23, 4)).toEqual({ step: 0.1, values: [0, 0.1, 0.2, 0.3], ends: [0, 0.3] });
    expect(niceTicks(0.7, 0.9, 5).values).toEqual([0.7, 0.75, 0.8, 0.85, 0.9]);
    expect(niceTicks(18, 61, 5).values).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(niceTicks(-3, 3, 3).values).toEqual([-4, -2, 0, 2, 4]);
  });

  it('gives a single value room, within the bounds of what is shown', () => {
    expect(niceTicks(0, 0, 2).ends).toEqual([-1, 1]);
    expect(niceTicks(0, 0, 2, [0, 1]).ends).toEqual([0, 1]);
    expect(niceTicks(1, 1, 2, [0, 1]).ends).toEqual([0.9, 1]);
    expect(niceTicks(50, 50, 5).ends).toEqual([44, 56]);
  });

  it('comes to an end for values of any size', () => {
    for (const value of [1e-300, 1e-13, 1e-9, 1e15, -1e15, -1e-13])
      for (const other of [value, 0, value + 1e-12, 1e15, -1e15]) {
        const { values, ends } = ticksOver([value, other], 5, [0, 1]);
        expect(values.every(Number.isFinite)).toBe(true);
        expect(ends[1]).toBeGreaterThan(ends[0]);
        expect(values.length).toBeLessThan(15);
      }
  });

  it('keeps the ends of an axis that must not grow', () => {
    expect(ticksWithin(-1.2, 80.9, 6)).toEqual({ step: 20, values: [0, 20, 40, 60, 80], ends: [-1.2, 80.9] });
  });

  it('finds the step that is not below', () => {
    expect([0.9, 1, 1.1, 2.5, 5, 6].map(niceStep)).toEqual([1, 1, 2, 5, 5, 10]);
    expect(niceStep(0.03)).toBe(0.05);
  });
});

describe('tickText', () => {
  it('has the decimals of the step', () => {
    expect([tickText(0.3, 0.05), tickText(0.3, 0.1), tickText(3, 1)]).toEqual(['0.30', '0.3', '3']);
    expect([tickText(12_000, 2000), tickText(2_500_000, 500_000), tickText(1e15, 1e14)]).toEqual([
      '12,000',
      '2.5e6',
      '1e15',
    ]);
  });
});
