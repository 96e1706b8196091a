import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/data/problems.ts';
import { holm } from '../../src/stats/holm.ts';

describe('holm', () => {
  it('works out by hand: 0.0625 · 4, 0.125 · 3, then 0.25 · 2 and 0.25 · 1, which may not fall', () => {
    expect(holm([0.25, 0.0625, 0.25, 0.125])).toEqual([0.5, 0.25, 0.5, 0.375]);
  });

  it('leaves tests without a p value out of the family', () => {
    expect(holm([0.25, null, 0.0625, null])).toEqual([0.25, null, 0.125, null]);
    expect(holm([null])).toEqual([null]);
    expect(holm([])).toEqual([]);
  });

  it('stops at 1', () => {
    expect(holm([0.75, 0.5, 1])).toEqual([1, 1, 1]);
  });

  it('leaves a single p value as it is', () => {
    expect(holm([0.04])).toEqual([0.04]);
  });

  it.each([-0.01, 1.01, NaN])('refuses %d', (p) => {
    expect(() => holm([0.5, p])).toThrow(UsageError);
  });

  it('never lowers a p value, keeps their order, and goes by value, not by place', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (pValues) => {
        const adjusted = holm(pValues);
        for (const [i, p] of pValues.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p);
          expect(adjusted[i]).toBeLessThanOrEqual(1);
          const notLess = adjusted.filter((_, j) => pValues[j]! >= p);
          expect(Math.min(...notLess.map((one) => one ?? NaN))).toBe(adjusted[i]);
        }
        expect(holm(pValues.toReversed())).toEqual(adjusted.toReversed());
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});
