import { describe, expect, test } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { SumLog } from '../../src/measure/sum-log.ts';
import { totals, type UnitSums } from '../../src/measure/unit-sums.ts';
import { inGroups } from '../../src/stats/in-groups.ts';
import { measureIntervals } from '../../src/stats/measure-intervals.ts';
import { comparePaired } from '../../src/stats/paired-comparison.ts';

/** A table of one column with the given numbers, in the order of their units. */
function tableOf(values: readonly number[]): UnitSums {
  const log = new SumLog(new Map([['x', 0]]));
  values.forEach((value, at) => {
    log.add(0, value);
    log.keep(`case ${String(at).padStart(6, '0')}`);
  });
  return log.byUnit();
}

const entries = ({ columns }: UnitSums): number[][] =>
  Array.from(columns[0]!.units, (unit, at) => [unit, columns[0]!.values[at]!]);

describe('inGroups', () => {
  test('leaves a table alone that has no more units than the limit, or where there is no limit', () => {
    const table = tableOf([1, 2, 3, 4]);
    expect(inGroups(table, 4)).toBe(table);
    expect(inGroups(table, null)).toBe(table);
  });

  test('adds every mth unit up, in m groups of one size but for a few', () => {
    // 11 units above 4: groups of ⌊11 / 2⌋ = 5, so ⌈11 / 5⌉ = 3 of them: 0 3 6 9, 1 4 7 10, 2 5 8. Zeros are no entries.
    const grouped = inGroups(tableOf([1, 0, 3, 4, 0, 6, 7, 0, 9, 10, 0]), 4);
    expect(grouped.units).toEqual(['case 000000', 'case 000001', 'case 000002']);
    expect(entries(grouped)).toEqual([
      [0, 1 + 4 + 7 + 10],
      [2, 3 + 6 + 9],
    ]);
    expect(grouped.clustered).toBe(true);
  });

  test('a label of neighbouring cases is spread over as many groups as it has cases', () => {
    const rare = Array.from({ length: 5000 }, (_, at) => (at >= 2000 && at < 2012 ? 1 : 0));
    expect(entries(inGroups(tableOf(rare), 2000))).toHaveLength(12);
  });

  test('keeps every total', () => {
    const values = Array.from({ length: 5003 }, (_, at) => (at * 7919) % 13);
    expect(totals(inGroups(tableOf(values), 2000))).toEqual(totals(tableOf(values)));
    expect(inGroups(tableOf(values), 2000).units).toHaveLength(1001);
  });
});

describe('drawing in groups', () => {
  const { measures } = buildMeasures({ precision: {} }, null);
  const keys = new Map(measures[0]!.counters.map(({ key }, at) => [key, at]));

  /** Hits and spurious items that hang together as in a run, from a plain congruence. */
  function counts(shift: number): UnitSums {
    const log = new SumLog(keys);
    let state = 12345 + shift;
    const next = (): number => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state / 2147483648;
    };
    for (let at = 0; at < 6000; at += 1) {
      const total = 1 + Math.floor(next() * 6);
      const hits = Array.from({ length: total }, next).filter((one) => one < 0.8 - shift * 0.0005).length;
      for (const [key, place] of keys)
        log.add(place, key.startsWith('credit') ? hits * 1e6 : key.startsWith('hit') ? hits : total - hits);
      log.keep(`case ${String(at).padStart(5, '0')}`);
    }
    return log.byUnit();
  }

  test('gives nearly the interval that drawing each case by itself gives', async () => {
    const settings = { resamples: 4000, level: 0.95, seed: 42, method: 'percentile', unit: 'case' } as const;
    const one = (await measureIntervals(counts(0), measures, false, { ...settings, groupsAbove: null }))[0]![0]!;
    const other = (await measureIntervals(counts(0), measures, false, settings))[0]![0]!;
    const width = one.interval!.high - one.interval!.low;
    expect(other.interval).not.toEqual(one.interval);
    expect(Math.abs(other.interval!.low - one.interval!.low)).toBeLessThan(0.12 * width);
    expect(Math.abs(other.interval!.high - one.interval!.high)).toBeLessThan(0.12 * width);
  });

  test('leaves the counts of cases in a comparison as they are', async () => {
    const settings = { resamples: 500, level: 0.95, seed: 42, method: 'percentile' } as const;
    const parts = [{ measure: measures[0]!, label: -1 }];
    const [single] = await comparePaired(counts(0), counts(20), parts, { ...settings, groupsAbove: null });
    const [grouped] = await comparePaired(counts(0), counts(20), parts, settings);
    const same = ({
      units,
      differing,
      wins,
      losses,
      ties,
      difference,
      wilcoxon,
      permutation,
    }: typeof single & object) => ({
      units,
      differing,
      wins,
      losses,
      ties,
      difference,
      wilcoxon,
      n: permutation.n,
    });
    expect(same(grouped!)).toEqual(same(single!));
    expect(grouped!.permutation.pValue).toBeCloseTo(single!.permutation.pValue ?? -1, 1);
  });
});
