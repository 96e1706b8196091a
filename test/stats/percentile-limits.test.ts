import { describe, expect, it } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { totals, type UnitSums } from '../../src/measure/unit-sums.ts';
import { alignTables } from '../../src/stats/align-tables.ts';
import { measureIntervals } from '../../src/stats/measure-intervals.ts';
import { percentileLimits } from '../../src/stats/percentile-limits.ts';
import { comparePaired } from '../../src/stats/paired-comparison.ts';
import { line } from '../measure/logged-items.ts';

const form = (p: number) => ({
  of: 'field-percentile',
  p,
  kind: 'trace',
  field: 'ms',
  direction: 'lower',
  pooled: true,
});
const { measures } = buildMeasures({ p50: form(50), p95: form(95) }, null);
const SETTINGS = { resamples: 500, level: 0.95, seed: 42, unit: 'case', method: 'studentised' } as const;

function tableOf(cases: readonly (readonly number[])[]): UnitSums {
  const tally = new Tally(measures, []);
  for (const [at, numbers] of cases.entries())
    tally.add(
      { case: `c${String(at).padStart(3, '0')}` },
      null,
      numbers.map((ms) => line('trace', { ms })),
    );
  return tally.groups()[0]!.table;
}

const upTo = (n: number): number[][] => Array.from({ length: n }, (_, at) => [at + 1]);
const sureOf = async (cases: readonly (readonly number[])[]) =>
  (await measureIntervals(tableOf(cases), measures, false, SETTINGS))[0]!;

describe('gate intervals of percentiles', () => {
  it('end at the percentiles that a share of numbers may be', async () => {
    const [median, p95] = await sureOf(upTo(100));
    // By hand: share 0.5 with variance 0.25 / 99; 0.5 ± t(99) · 0.5 / √99 = 0.4003 and 0.5997 of 1 to 100.
    expect(median!.interval).toMatchObject({ method: 'studentised', level: 0.95 });
    expect(median!.interval!.low).toBeCloseTo(1 + 99 * (0.5 - (1.984217 * 0.5) / Math.sqrt(99)), 4);
    expect(median!.interval!.high).toBeCloseTo(1 + 99 * (0.5 + (1.984217 * 0.5) / Math.sqrt(99)), 4);
    const table = tableOf(upTo(100));
    const { limits } = percentileLimits(table, totals(table), { measure: measures[0]!, label: -1 }, 0.95)!;
    expect(limits).toEqual([median!.interval!.low, median!.interval!.high]);
    // 95.05 is below 5 of 100 numbers, and may be below 1 or 9.
    expect(p95!.interval!.low).toBeGreaterThan(89);
    expect(p95!.interval!.high).toBeGreaterThan(98.5);
  });

  it('are withheld without numbers beyond them: the largest of 30 is below p95 in 21 of 100 samples', async () => {
    const [median, p95] = await sureOf(upTo(30));
    expect(median!.interval).not.toBeNull();
    expect(p95).toEqual({
      interval: null,
      noInterval: 'too few cases have numbers beyond it to show how far it may be',
    });
    expect((await sureOf(Array.from({ length: 100 }, () => [7])))[0]!.interval).toBeNull();
  });

  it('count numbers of one case that are alike once', async () => {
    const [one, five] = [await sureOf(upTo(40)), await sureOf(upTo(40).map(([ms]) => [ms!, ms!, ms!, ms!, ms!]))];
    expect(Math.abs(five[0]!.interval!.low - one[0]!.interval!.low)).toBeLessThan(1);
    expect(Math.abs(five[0]!.interval!.high - one[0]!.interval!.high)).toBeLessThan(1);
    expect(five[1]!.interval).toBeNull();
  });

  it('of a difference are combined from both systems, turned round if they are swapped', async () => {
    const after = upTo(100).map(([ms]) => [ms! + (ms! % 7)]);
    const [a, b] = alignTables(tableOf(upTo(100)), tableOf(after));
    const parts = measures.map((measure) => ({ measure, label: -1 }));
    const [there, back] = [await comparePaired(a, b, parts, SETTINGS), await comparePaired(b, a, parts, SETTINGS)];
    for (const at of [0, 1]) {
      const { interval, difference } = there[at]!;
      expect(interval).toMatchObject({ method: 'studentised-mover' });
      expect(interval!.low).toBeLessThan(difference!);
      expect(interval!.high).toBeGreaterThan(difference!);
      expect(back[at]!.interval!.low).toBeCloseTo(-interval!.high, 9);
    }
    const few = alignTables(tableOf(upTo(20)), tableOf(upTo(20).map(([ms]) => [ms! * 2])));
    const [, p95] = await comparePaired(...few, parts, SETTINGS);
    expect(p95!.noInterval).toBe('too few cases have numbers beyond it to show how far it may be');
  });
});
