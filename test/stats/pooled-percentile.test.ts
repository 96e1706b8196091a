import { describe, expect, test } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { sumsAt, totals, type UnitSums } from '../../src/measure/unit-sums.ts';
import { alignTables } from '../../src/stats/align-tables.ts';
import { type IntervalSettings, measureIntervals } from '../../src/stats/measure-intervals.ts';
import { pairedBootstrap } from '../../src/stats/paired-difference.ts';
import { pairedPermutation } from '../../src/stats/paired-permutation.ts';
import { line } from '../measure/logged-items.ts';

const SETTINGS: IntervalSettings = { resamples: 2000, level: 0.95, seed: 42, method: 'percentile', unit: 'case' };

const { measures: MEASURES } = buildMeasures(
  { median: { of: 'field-percentile', p: 50, kind: 'trace', field: 'ms', direction: 'lower', pooled: true } },
  null,
);
const [MEDIAN] = MEASURES;

/** One case for each list of numbers, c1, c2, …, in clusters where these are given. */
function tableOf(cases: readonly (readonly number[])[], clusters: readonly string[] = []): UnitSums {
  const tally = new Tally(MEASURES, []);
  for (const [at, numbers] of cases.entries()) {
    const facts = { case: `c${at + 1}`, cluster: clusters[at] };
    tally.add(
      facts,
      null,
      numbers.map((ms) => line('trace', { ms })),
    );
  }
  return tally.groups()[0]!.table;
}

function medianOf(table: UnitSums): number | null {
  return MEDIAN!.value(sumsAt(table, totals(table))).value;
}

async function intervalOf(table: UnitSums, settings: Partial<IntervalSettings> = {}) {
  return (await measureIntervals(table, MEASURES, false, { ...SETTINGS, ...settings }))[0]![0]!;
}

describe('the interval of a pooled percentile', () => {
  /*
   * Of two cases [10, 20] and [60] a draw holds the first twice (10, 10, 20, 20: 15), both (20), or the second twice
   * (60), a quarter, a half and a quarter of the time.
   */
  test('draws cases with all their numbers', async () => {
    const table = tableOf([[10, 20], [60]]);
    expect(medianOf(table)).toBe(20);
    expect((await intervalOf(table)).interval).toMatchObject({ low: 15, high: 60, level: 0.95 });
    expect((await intervalOf(table, { level: 0.4 })).interval).toMatchObject({ low: 20, high: 20 });
  });

  test('draws clusters as a whole', async () => {
    const table = tableOf([[10], [20], [60]], ['a', 'a', 'b']);
    expect(table.units).toEqual(['cluster a', 'cluster b']);
    expect((await intervalOf(table)).interval).toMatchObject({ low: 15, high: 60 });
  });

  test('there is none of one case, or of no number', async () => {
    expect(await intervalOf(tableOf([[10, 20], []]))).toEqual({
      interval: null,
      noInterval: 'only one case has anything to measure: nothing to resample',
    });
    expect((await intervalOf(tableOf([[], []]))).noInterval).toBe('there is no value');
  });

  test('is numpy’s', async () => {
    // numpy 2.4.6: RandomState(42).randint(0, 5, 5) draws cases 1,000 times; np.percentile of their numbers together.
    const table = tableOf([[100, 250, 300], [120], [500, 90, 80, 400], [], [210, 220]]);
    expect(medianOf(table)).toBe(215);
    expect((await intervalOf(table, { resamples: 1000 })).interval).toMatchObject({ low: 120, high: 250 });
  });
});

describe('two systems', () => {
  const [a, b] = alignTables(tableOf([[10, 20], [60]]), tableOf([[15, 25], [70]]));
  const parts = [{ measure: MEDIAN!, label: -1 }];

  test('have their numbers in the same columns', () => {
    expect([...a.numbers.values()]).toMatchObject([{ values: [10, 15, 20, 25, 60, 70] }]);
    expect(b.numbers).toEqual(a.numbers);
    expect([medianOf(a), medianOf(b)]).toEqual([20, 25]);
  });

  test('differ as their numbers do in each draw: by 5, or by 10 where it holds the second case alone', async () => {
    const differences = await pairedBootstrap(a, [b], parts, SETTINGS);
    expect(differences[0]![0]!.interval).toMatchObject({ low: 5, high: 10 });
  });

  test('are swapped case by case with all their numbers', async () => {
    // Whatever is swapped, the medians are 20 and 25: all four differences are as large.
    expect(await pairedPermutation(a, b, parts, SETTINGS)).toMatchObject([
      { pValue: 1, method: 'exact', statistic: 5 },
    ]);
  });
});
