import { afterEach, describe, expect, it, vi } from 'vitest';

import { Pace } from '../../../src/experiment/limits/estimate.ts';

function at(start = 0) {
  const clock = { ms: start };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.ms);
  return { clock, pace: new Pace() };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('Pace', () => {
  it('cannot tell before anything is done, or when it has only just begun', () => {
    const { clock, pace } = at(500);
    expect([pace.perSecond(), pace.leftMs(10)]).toEqual([null, null]);
    pace.add(100);
    clock.ms = 1499;
    expect([pace.perSecond(), pace.leftMs(10)]).toEqual([null, null]);
    clock.ms = 1500;
    expect([pace.perSecond(), pace.leftMs(50)]).toEqual([100, 500]);
  });

  it('is what was done by the time it took', () => {
    const { clock, pace } = at();
    for (let second = 1; second <= 5; second += 1) {
      clock.ms = second * 1000;
      pace.add(4);
    }
    expect(pace.perSecond()).toBe(4);
    expect(pace.leftMs(100)).toBe(25_000);
    expect(pace.leftMs(0)).toBe(0);
  });

  it('follows a change of speed when the window has passed', () => {
    const { clock, pace } = at();
    for (let second = 1; second <= 180; second += 1) {
      clock.ms = second * 1000;
      pace.add(second <= 90 ? 1 : 20);
    }
    expect(pace.perSecond()).toBe(20);
  });

  it('looks back further where little happens', () => {
    const { clock, pace } = at();
    for (let minute = 1; minute <= 20; minute += 1) {
      clock.ms = minute * 60_000;
      pace.add();
    }
    expect(pace.perSecond()).toBeCloseTo(1 / 60, 10);
  });

  it('slows down while nothing comes', () => {
    const { clock, pace } = at();
    clock.ms = 10_000;
    pace.add(100);
    expect(pace.perSecond()).toBe(10);
    clock.ms = 40_000;
    expect(pace.perSecond()).toBe(2.5);
  });
});
