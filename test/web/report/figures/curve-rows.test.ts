import { describe, expect, it } from 'vitest';

import { bestPoint, type CurvePoint, pickedPoints } from '../../../../web/src/report/figures/curve-rows.ts';

function point(kept: number, f1: number | null): CurvePoint {
  return { confidence: 1 - kept / 200, kept, precision: 0.5, recall: f1, f1 };
}

describe('a precision-recall curve as a table', () => {
  it('has every point where there are few', () => {
    const curve = [point(1, 0.2), point(2, 0.4)];
    expect(pickedPoints(curve, 5)).toEqual(curve);
  });

  it('has the first, the last and the best of many, and no more than asked for', () => {
    const curve = Array.from({ length: 100 }, (_, at) => point(at, at === 40 ? 0.9 : 0.5));
    const kept = pickedPoints(curve, 10).map((one) => one.kept);
    expect(kept).toContain(0);
    expect(kept).toContain(40);
    expect(kept).toContain(99);
    expect(kept).toHaveLength(10);
    expect(kept).toEqual(kept.toSorted((a, b) => a - b));
  });

  it('takes of equally good points the one that keeps the fewest, and none where F1 is undefined', () => {
    expect(bestPoint([point(1, 0.3), point(2, 0.6), point(3, 0.6)])?.kept).toBe(2);
    expect(bestPoint([point(1, null)])).toBeNull();
  });
});
