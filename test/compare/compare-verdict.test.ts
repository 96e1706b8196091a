import { describe, expect, test } from 'vitest';

import { judgedFamily, leavesOutZero, thresholdOf } from '../../src/compare/compare-verdict.ts';
import { differenceRow } from './difference-row.ts';

const interval = (low: number, high: number) => ({ low, high, level: 0.95, method: 'bootstrap-percentile' });

function familyOf(rows: ReturnType<typeof differenceRow>[], level: number) {
  return judgedFamily(rows, { level }).rows;
}

function verdictOf(given: Parameters<typeof differenceRow>[0], level = 0.95) {
  const { verdict, needed, adjusted } = familyOf([differenceRow(given)], level)[0]!;
  return { verdict, needed, adjusted };
}

describe('better and worse', () => {
  test('need a small p and an interval without 0, and follow the direction', () => {
    const clear = { difference: 0.2, p: 0.01, interval: interval(0.1, 0.3), units: 30, standardised: 0.9 };
    expect(verdictOf(clear).verdict).toBe('better');
    expect(verdictOf({ ...clear, direction: 'lower' }).verdict).toBe('worse');
    expect(verdictOf({ ...clear, difference: -0.2, interval: interval(-0.3, -0.1) }).verdict).toBe('worse');
    expect(verdictOf({ ...clear, difference: -0.2, interval: interval(-0.3, -0.1), direction: 'lower' }).verdict).toBe(
      'better',
    );
    expect(verdictOf({ ...clear, p: 0.06 }).verdict).not.toBe('better');
    expect(verdictOf({ ...clear, interval: interval(-0.01, 0.3) }).verdict).not.toBe('better');
    expect(verdictOf({ ...clear, interval: interval(0, 0.3) }).verdict).not.toBe('better');
    expect(verdictOf({ ...clear, interval: null }).verdict).not.toBe('better');
  });

  test('p at the threshold is not below it, whatever 1 − level rounds to', () => {
    const clear = { difference: 0.2, p: 0.05, interval: interval(0.1, 0.3), units: 30, standardised: 0.9 };
    expect(verdictOf(clear).verdict).not.toBe('better');
    expect(verdictOf({ ...clear, p: 0.0499 }).verdict).toBe('better');
    expect(verdictOf({ ...clear, p: 0.1 }, 0.9).verdict).not.toBe('better');
    expect(verdictOf({ ...clear, p: 0.05 }, 0.9).verdict).toBe('better');
    expect([thresholdOf(0.95), thresholdOf(0.9), thresholdOf(0.999999)]).toEqual([0.05, 0.1, 0.000001]);
  });

  test('a difference that no resample varies leaves out 0', () => {
    const same = { difference: 0.2, p: 0.01, interval: null, constant: true, units: 30 };
    expect(verdictOf(same)).toMatchObject({ verdict: 'better', needed: null });
    expect(leavesOutZero(differenceRow({ ...same, difference: 0 }))).toBe(false);
  });
});

test('where the best value is 1, the run nearer to it is better, and a run that says nothing is not', () => {
  const row = (baseline: number, difference: number) => ({
    ...differenceRow({
      difference,
      p: 0.001,
      interval: { low: difference - 0.1, high: difference + 0.1, level: 0.95, method: 'bootstrap-percentile' },
      units: 50,
      baseline,
      direction: 'lower',
    }),
    best: 1,
  });
  const words = familyOf([row(1.5, -0.4), row(1.5, -1.5), row(0.5, 0.4)], 0.95).map(({ verdict }) => verdict);
  expect(words).toEqual(['better', 'worse', 'better']);
});

describe('Holm goes over all rows that have a p value', () => {
  test('0.01, 0.04, 0.03 become 0.03, 0.06, 0.06', () => {
    const rows = [0.01, 0.04, null, 0.03].map((p) =>
      differenceRow({ difference: 0.2, p, interval: interval(0.1, 0.3), units: 30, standardised: 0.9 }),
    );
    const found = familyOf(rows, 0.95);
    expect(found.map(({ adjusted }) => adjusted)).toEqual([0.03, 0.06, null, 0.06]);
    expect(found.map(({ verdict }) => verdict === 'better')).toEqual([true, false, false, false]);
  });
});

describe('too little data', () => {
  test('where no p value could get there: 2^(1 − n) above the threshold', () => {
    // 5 units: 1/16 is above 0.05; 6 units: 1/32 is not.
    const none = { difference: 0, p: 1, interval: null, constant: true };
    expect(verdictOf({ ...none, units: 5 })).toEqual({ verdict: 'too little data', needed: 6, adjusted: 1 });
    expect(verdictOf({ ...none, units: 6 }).verdict).toBe('no difference shown');
    // A row without a p value is not a test.
    const noTest = differenceRow({ difference: null, p: null, interval: null, units: 6 });
    expect(familyOf([differenceRow({ ...none, units: 6 }), noTest], 0.95)[0]!.verdict).toBe('no difference shown');
    // Two tests: 0.025 asks for 1 − log2(0.025) = 6.3, so 7.
    const two = familyOf([differenceRow({ ...none, units: 6 }), differenceRow({ ...none, units: 7 })], 0.95);
    expect(two.map(({ verdict, needed }) => [verdict, needed])).toEqual([
      ['too little data', 7],
      ['no difference shown', null],
    ]);
  });

  test('where a difference of at least small size would take more units', () => {
    // dz 0.5 at 0.05 and 80 %: 34 pairs (Guenther).
    const medium = { difference: 0.1, p: 0.2, interval: interval(-0.1, 0.3), standardised: 0.5 };
    expect(verdictOf({ ...medium, units: 20 })).toMatchObject({ verdict: 'too little data', needed: 34 });
    expect(verdictOf({ ...medium, units: 34 })).toMatchObject({ verdict: 'no difference shown', needed: 34 });
    expect(verdictOf({ ...medium, units: 20, standardised: -0.5 })).toMatchObject({ needed: 34 });
    // Small: 0.2 takes 199.
    const small = { ...medium, units: 50, standardised: 0.2 };
    expect(verdictOf(small)).toMatchObject({ verdict: 'too little data', needed: 199 });
    // Less than small (0.2): more cases would show a difference of no weight.
    expect(verdictOf({ ...medium, units: 50, standardised: 0.19 })).toMatchObject({ verdict: 'no difference shown' });
  });

  test('where there is no difference or no test', () => {
    expect(verdictOf({ difference: null, p: null, interval: null, units: 50 })).toEqual({
      verdict: 'too little data',
      needed: null,
      adjusted: null,
    });
  });
});
