import { describe, expect, it } from 'vitest';

import type { Interval } from '../../../src/measure/results.ts';
import { casesNeeded, judgeFloor, judgeMargin, judgeShare } from '../../../src/compare/gate/check.ts';
import type { FloorRule, MarginRule, ShareRule } from '../../../src/compare/gate/rules.ts';
import { difference } from '../../report/made-up-comparison.ts';
import { measure } from '../../report/made-up-run.ts';

const NO_MINIMUM = { n: 0, cases: 0 };
const between = (low: number, high: number): Interval => ({ low, high, level: 0.95, method: 'bootstrap-percentile' });

const floor = (more: Partial<FloorRule> = {}): FloorRule => ({
  kind: 'floor',
  number: 1,
  line: 2,
  minimum: NO_MINIMUM,
  measure: 'f1',
  slice: {},
  each: null,
  skipSmall: false,
  side: 'atLeast',
  limit: 0.8,
  sure: false,
  ...more,
});
const margin = (more: Partial<MarginRule> = {}): MarginRule => ({
  kind: 'margin',
  number: 1,
  line: 2,
  minimum: NO_MINIMUM,
  measure: 'f1',
  slice: {},
  each: null,
  skipSmall: false,
  margin: 0.02,
  ...more,
});
const share = (limit: number, more: Partial<ShareRule> = {}): ShareRule => ({
  kind: 'share',
  number: 1,
  line: 2,
  minimum: NO_MINIMUM,
  of: 'failed',
  measure: null,
  limit,
  ...more,
});

describe('a floor', () => {
  it.each([
    [0.82, 'passed', 'met'],
    [0.8, 'passed', 'met'],
    // Sums of fractions may end a bit beside the decimal: 0.1 * 8 is 0.8000000000000000444.
    [0.8 - 1e-12, 'passed', 'met'],
    [0.799, 'failed', 'missed'],
    [0, 'failed', 'missed'],
  ])('of 0.8: %d has %s', (value, verdict, kind) => {
    expect(judgeFloor(floor(), measure('f1', value))).toMatchObject({ verdict, reason: { kind } });
  });

  it('is a ceiling for a measure of which less is better', () => {
    const rule = floor({ side: 'atMost', limit: 0.1 });
    expect(judgeFloor(rule, measure('over_extraction', 0.1)).verdict).toBe('passed');
    expect(judgeFloor(rule, measure('over_extraction', 0.11)).verdict).toBe('failed');
  });

  it('is not met by a value that is undefined, with the reason', () => {
    const undefinedValue = measure('f1', null, { undefined: 'there is no gold that counts', n: 0 });
    expect(judgeFloor(floor(), undefinedValue)).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'undefined', why: 'there is no gold that counts' },
    });
  });

  it('is inconclusive with fewer n or cases than the minimum, even where the value is wrong', () => {
    const rule = floor({ minimum: { n: 30, cases: 20 } });
    const judged = (n: number, units: number) => judgeFloor(rule, measure('f1', 0.1, { n, units }));
    expect(judged(29, 40)).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'too-few', of: 'n', found: 29, wanted: 30 },
    });
    expect(judged(30, 19)).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'too-few', of: 'cases', found: 19, wanted: 20 },
    });
    expect(judged(30, 20).verdict).toBe('failed');
  });

  it('that must be sure wants the near end of the interval on the right side too', () => {
    const sure = floor({ sure: true });
    const judged = (value: number, interval: Interval | null) => judgeFloor(sure, measure('f1', value, { interval }));
    expect(judged(0.85, between(0.8, 0.9)).verdict).toBe('passed');
    expect(judged(0.85, between(0.79, 0.9))).toMatchObject({ verdict: 'inconclusive', reason: { kind: 'unsure' } });
    expect(judged(0.85, null)).toMatchObject({ verdict: 'inconclusive', reason: { kind: 'no-interval' } });
    // Wrong is wrong, however wide the interval.
    expect(judged(0.79, between(0.5, 0.9)).verdict).toBe('failed');
  });

  it('from above looks at the other end', () => {
    const rule = floor({ side: 'atMost', limit: 0.1, sure: true });
    const judged = (interval: Interval) => judgeFloor(rule, measure('over_extraction', 0.05, { interval }));
    expect(judged(between(0, 0.1)).verdict).toBe('passed');
    expect(judged(between(0, 0.11)).verdict).toBe('inconclusive');
  });

  it('says how many cases would settle it: 0.05 over the line, 0.1 of reach, four times as many', () => {
    const rule = floor({ sure: true });
    const judged = judgeFloor(rule, measure('f1', 0.85, { interval: between(0.75, 0.95), units: 50 }));
    expect(judged.reason).toEqual({ kind: 'unsure', needed: 200 });
  });
});

describe('a margin against a baseline', () => {
  it.each([
    [-0.02, 0.03, 'passed', 'met'],
    [0.01, 0.05, 'passed', 'met'],
    [-0.06, -0.03, 'failed', 'missed'],
    [-0.06, -0.02, 'inconclusive', 'unsure'],
    [-0.05, 0.01, 'inconclusive', 'unsure'],
  ])('of 0.02: an interval from %d to %d has %s', (low, high, verdict, kind) => {
    const row = difference('f1', { difference: (low + high) / 2, interval: between(low, high) });
    expect(judgeMargin(margin(), row, 60)).toMatchObject({ verdict, reason: { kind } });
  });

  it.each([
    [-0.03, 0.02, 'passed'],
    [0.03, 0.06, 'failed'],
    [-0.01, 0.05, 'inconclusive'],
  ])('is turned round where less is better: %d to %d has %s', (low, high, verdict) => {
    const row = difference('x', { direction: 'lower', difference: (low + high) / 2, interval: between(low, high) });
    expect(judgeMargin(margin(), row, 60).verdict).toBe(verdict);
  });

  it('does not stumble over the rounding of a subtraction: 0.78 − 0.8 is a bit below −0.02', () => {
    expect(0.78 - 0.8).toBeLessThan(-0.02);
    const row = difference('f1', { difference: 0, interval: between(0.78 - 0.8, 0.02) });
    expect(judgeMargin(margin(), row, 60).verdict).toBe('passed');
  });

  it('is met by runs that are the same on every case, although there is no interval', () => {
    const row = difference('f1', { difference: 0, interval: null, noInterval: 'the same', differing: 0, other: 0.7 });
    expect(judgeMargin(margin({ margin: 0 }), row, 60)).toMatchObject({
      verdict: 'passed',
      reason: { kind: 'identical' },
    });
  });

  it('a loss that every resample gave fails; a gain that every resample gave is no certainty', () => {
    const lost = difference('f1', { difference: -1, interval: null, noInterval: 'the same value', constant: true });
    expect(judgeMargin(margin(), lost, 60)).toMatchObject({ verdict: 'failed', reason: { kind: 'missed' } });
    const won = difference('f1', { difference: 1, interval: null, noInterval: 'the same value', constant: true });
    expect(judgeMargin(margin(), won, 60)).toMatchObject({ verdict: 'inconclusive', reason: { kind: 'no-interval' } });
  });

  it('is inconclusive without an interval or without a difference', () => {
    const none = difference('f1', { interval: null, noInterval: 'one unit only', units: 1, differing: 1 });
    expect(judgeMargin(margin(), none, 60)).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'no-interval', why: 'one unit only' },
    });
    const gone = difference('f1', { difference: null, undefined: 'undefined for the baseline', interval: null });
    expect(judgeMargin(margin(), gone, 60)).toMatchObject({ verdict: 'inconclusive', reason: { kind: 'undefined' } });
  });

  it('is inconclusive with fewer n or cases than the minimum', () => {
    const rule = margin({ minimum: { n: 61, cases: 0 } });
    expect(judgeMargin(rule, difference('f1', { interval: between(0, 0.1) }), 60).verdict).toBe('inconclusive');
    const cases = margin({ minimum: { n: 0, cases: 101 } });
    expect(judgeMargin(cases, difference('f1', { interval: between(0, 0.1) }), 60).verdict).toBe('inconclusive');
  });

  it('says how many cases would settle it, from either side', () => {
    // 0.01 is 0.03 over −0.02 and the interval reaches down by 0.06: (0.06 / 0.03)² × 100.
    const over = difference('f1', { difference: 0.01, interval: between(-0.05, 0.07) });
    expect(judgeMargin(margin(), over, 60).reason).toEqual({ kind: 'unsure', needed: 400 });
    // −0.04 is 0.02 under it and the interval reaches up by 0.03: (0.03 / 0.02)² × 100.
    const under = difference('f1', { difference: -0.04, interval: between(-0.07, -0.01) });
    expect(judgeMargin(margin(), under, 60).reason).toEqual({ kind: 'unsure', needed: 225 });
  });
});

describe('a share of cases', () => {
  it.each([
    [0, 8, 0, 'passed'],
    [1, 8, 0, 'failed'],
    [1, 8, 0.125, 'passed'],
    [2, 8, 0.125, 'failed'],
    [0, 0, 0.125, 'inconclusive'],
  ])('%d of %d with at most %d has %s', (part, whole, limit, verdict) => {
    expect(judgeShare(share(limit), part, whole).verdict).toBe(verdict);
  });

  it('is inconclusive of fewer cases than the minimum', () => {
    const rule = share(0, { minimum: { n: 0, cases: 9 } });
    expect(judgeShare(rule, 0, 8)).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'too-few', of: 'cases', found: 8, wanted: 9 },
    });
  });
});

describe('casesNeeded', () => {
  it('grows with the square, and has no answer on the line', () => {
    expect(casesNeeded(0.02, 0.04, 50)).toBe(200);
    expect(casesNeeded(0, 0.04, 50)).toBeNull();
  });
});
