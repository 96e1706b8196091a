import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { iou, isContained, overlapLength, shareInside } from '../../src/text/span.ts';
import { runs } from './arbitraries.ts';

const anySpan = fc.tuple(fc.nat(20), fc.nat(10)).map(([start, length]) => [start, start + length] as const);
const anyTolerance = fc.nat(4);

describe('overlapLength', () => {
  it('counts the characters in both', () => {
    expect(overlapLength(0, 5, 3, 9)).toBe(2);
    expect(overlapLength(3, 9, 0, 5)).toBe(2);
    expect(overlapLength(0, 10, 4, 6)).toBe(2);
  });

  it('is 0 for spans that touch, lie apart or are empty', () => {
    expect(overlapLength(0, 5, 5, 9)).toBe(0);
    expect(overlapLength(0, 5, 7, 9)).toBe(0);
    expect(overlapLength(3, 3, 0, 9)).toBe(0);
  });
});

describe('iou', () => {
  it('is characters in both over characters in either', () => {
    expect(iou(0, 4, 2, 6)).toBe(2 / 6);
    expect(iou(0, 10, 0, 5)).toBe(0.5);
    expect(iou(3, 8, 3, 8)).toBe(1);
    expect(iou(0, 4, 4, 8)).toBe(0);
  });

  it('takes a boundary within the tolerance for that of gold, each end on its own', () => {
    expect(iou(10, 20, 9, 21, 1)).toBe(1);
    expect(iou(10, 20, 11, 19, 1)).toBe(1);
    expect(iou(10, 20, 11, 22, 1)).toBe(10 / 12);
    expect(iou(10, 20, 8, 20, 1)).toBe(10 / 12);
    expect(iou(10, 20, 12, 19, 1)).toBe(8 / 10);
  });

  it('does not let the tolerance make an overlap', () => {
    expect(iou(10, 11, 11, 12, 1)).toBe(0);
    expect(iou(10, 12, 12, 14, 2)).toBe(0);
    expect(iou(5, 5, 5, 6, 1)).toBe(0);
    expect(iou(5, 5, 6, 6, 1)).toBe(0);
  });

  it('is 1 for two empty spans at one place, 0 at two', () => {
    expect(iou(5, 5, 5, 5)).toBe(1);
    expect(iou(5, 5, 6, 6)).toBe(0);
    expect(iou(5, 5, 3, 8)).toBe(0);
  });

  it('is symmetric without a tolerance, and lies in [0, 1] with any', () => {
    fc.assert(
      fc.property(anySpan, anySpan, anyTolerance, (g, p, tolerance) => {
        expect(iou(...g, ...p)).toBe(iou(...p, ...g));
        expect(iou(...g, ...p, tolerance)).toBeGreaterThanOrEqual(0);
        expect(iou(...g, ...p, tolerance)).toBeLessThanOrEqual(1);
      }),
      runs,
    );
  });

  it('never falls as the tolerance grows', () => {
    fc.assert(
      fc.property(anySpan, anySpan, anyTolerance, (g, p, tolerance) => {
        expect(iou(...g, ...p, tolerance + 1)).toBeGreaterThanOrEqual(iou(...g, ...p, tolerance));
      }),
      runs,
    );
  });

  it('agrees with counting characters one by one', () => {
    fc.assert(
      fc.property(anySpan, anySpan, (g, p) => {
        const characters = ([start, end]: readonly [number, number]) =>
          new Set(Array.from({ length: end - start }, (_, at) => start + at));
        const either = characters(g).union(characters(p)).size;
        fc.pre(either > 0);
        expect(iou(...g, ...p)).toBe(characters(g).intersection(characters(p)).size / either);
      }),
      runs,
    );
  });
});

describe('isContained', () => {
  it('holds for a span inside another and for an equal one', () => {
    expect(isContained(3, 5, 2, 8)).toBe(true);
    expect(isContained(2, 8, 2, 8)).toBe(true);
    expect(isContained(1, 5, 2, 8)).toBe(false);
    expect(isContained(3, 9, 2, 8)).toBe(false);
  });

  it('lets the inner span stick out by the tolerance at either end', () => {
    expect(isContained(1, 9, 2, 8, 1)).toBe(true);
    expect(isContained(0, 8, 2, 8, 1)).toBe(false);
    expect(isContained(2, 10, 2, 8, 1)).toBe(false);
  });

  it('means that all of the inner span is inside, when nothing may stick out', () => {
    fc.assert(
      fc.property(anySpan, anySpan, (inner, outer) => {
        fc.pre(inner[0] < inner[1]);
        expect(isContained(...inner, ...outer)).toBe(shareInside(...inner, ...outer) === 1);
      }),
      runs,
    );
  });
});

describe('shareInside', () => {
  it('is the part of the inner span that lies in the outer one', () => {
    expect(shareInside(8, 12, 10, 20)).toBe(0.5);
    expect(shareInside(12, 15, 10, 20)).toBe(1);
    expect(shareInside(0, 5, 10, 20)).toBe(0);
    expect(shareInside(9, 21, 10, 20)).toBe(10 / 12);
  });

  it('is 0 for an empty inner span, wherever it is', () => {
    expect(shareInside(12, 12, 10, 20)).toBe(0);
  });
});
