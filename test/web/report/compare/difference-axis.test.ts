import { describe, expect, it } from 'vitest';

import { axisReach, drawnDifference } from '../../../../web/src/report/compare/difference-axis.ts';
import { row } from './row.ts';

const interval = { low: -0.02, high: 0.08, level: 0.95, method: 'bootstrap-percentile' };

describe('a difference as it is drawn', () => {
  it('has better to the right', () => {
    expect(drawnDifference(row({ difference: 0.03, interval }))).toEqual({ value: 0.03, low: -0.02, high: 0.08 });
    expect(drawnDifference(row({ direction: 'lower', difference: 0.03, interval }))).toEqual({
      value: -0.03,
      low: -0.08,
      high: 0.02,
    });
  });

  it('has no ends where there is no interval, and is nothing where there is no difference', () => {
    expect(drawnDifference(row({ difference: 0.03 }))).toEqual({ value: 0.03, low: null, high: null });
    expect(drawnDifference(row({ difference: null }))).toBeNull();
  });
});

describe('the axis of differences', () => {
  it('goes to a round number that all have room on', () => {
    expect(axisReach([{ value: 0.03, low: -0.01, high: 0.07 }])).toBe(0.08);
    expect(axisReach([{ value: 0.3, low: null, high: null }])).toBe(0.3);
    expect(axisReach([{ value: 348, low: -127, high: 981 }])).toBe(1000);
    expect(axisReach([])).toBe(1);
    expect(axisReach([{ value: 0, low: 0, high: 0 }])).toBe(1);
  });
});
