import { describe, expect, test } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import type { Sureness } from '../../src/measure/results.ts';
import { Tally } from '../../src/measure/tally.ts';
import type { UnitSums } from '../../src/measure/unit-sums.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { type IntervalSettings, measureIntervals } from '../../src/stats/measure-intervals.ts';
import { line } from '../measure/logged-items.ts';

const SETTINGS: IntervalSettings = { resamples: 2000, level: 0.95, seed: 42, method: 'percentile', unit: 'case' };

const { measures: MEASURES } = buildMeasures(
  {
    mean: { of: 'case-mean', measure: { of: 'field-mean', kind: 'trace', field: 'v', direction: 'higher' } },
    p50: { of: 'field-percentile', p: 50, kind: 'trace', field: 'v', direction: 'higher' },
  },
  null,
);

/** One case for each value, c01, c02, …; null: a case without one. */
function tableOf(values: readonly (number | null)[], clusters: readonly string[] = []): UnitSums {
  const tally = new Tally(MEASURES, []);
  for (const [at, v] of values.entries()) {
    const id = `c${String(at + 1).padStart(2, '0')}`;
    const facts = { case: id, cluster: clusters[at] };
    tally.add(facts, null, v === null ? [] : [line('trace', { v })]);
  }
  return tally.groups()[0]!.table;
}

async function sureOf(table: UnitSums, settings: Partial<IntervalSettings> = {}, at = 0): Promise<Sureness> {
  return (await measureIntervals(table, MEASURES, false, { ...SETTINGS, ...settings }))[0]![at]!;
}

const TWELVE = [0.53, 0.46, 0.34, 0.68, 0, 0.72, 0, 0.41, 0.98, 0.37, 0, 0.51];

/**
 * rs = np.random.RandomState(seed); means = [np.mean(rs.choice(v, len(v), replace=True)) for _ in range(2000)];
 * np.percentile(means, 2.5) and 97.5, or 5 and 95, 0.5 and 99.5, 0.05 and 99.95, numpy 2.4.6.
 */
describe('a mean of the cases’ values has numpy’s interval, to the last bit', () => {
  test.each([
    [TWELVE, {}, 0.24831249999999996, 0.5824999999999999],
    [TWELVE, { seed: 7, level: 0.9 }, 0.27745833333333336, 0.553375],
    [TWELVE, { level: 0.99 }, 0.19414583333333335, 0.6358583333333327],
    [TWELVE, { level: 0.999 }, 0.16915166666666667, 0.6758337500000001],
    [[1200, 740, 0, 310, 95], {}, 119, 868],
  ] as const)('%j %j', async (values, settings, low, high) => {
    const table = tableOf(values);
    for (const at of [0, 1])
      expect((await sureOf(table, settings, at)).interval).toMatchObject({
        low,
        high,
        method: 'bootstrap-percentile',
      });
  });

  test('cases without a value are not drawn', async () => {
    const gaps = [null, ...TWELVE.slice(0, 5), null, null, ...TWELVE.slice(5), null];
    expect(await sureOf(tableOf(gaps))).toEqual(await sureOf(tableOf(TWELVE)));
  });
});

describe('where that would say nothing, or where something else is drawn', () => {
  test('one case with a value, or equal ones, have no interval', async () => {
    expect((await sureOf(tableOf([0.5]))).noInterval).toBe('there is one case only: nothing to resample');
    expect((await sureOf(tableOf([null, 0.5, null]))).noInterval).toBe(
      'only one case has anything to measure: nothing to resample',
    );
    expect((await sureOf(tableOf([0.5, 0.5, 0.5]))).noInterval).toBe(
      'every resample gave the same value: these cases cannot show how much it varies',
    );
    expect((await sureOf(tableOf([0, 0]))).interval).toBeNull();
    expect((await sureOf(tableOf([null]))).noInterval).toBe('there is no value');
  });

  test('clusters are drawn, not cases: the mean of a draw is over all of its cases', async () => {
    // Two clusters, {0, 0, 0} and {1}: the four draws give 0, 1/4, 1/4 and 1.
    const table = tableOf([0, 0, 0, 1], ['x', 'x', 'x', 'y']);
    expect((await sureOf(table)).interval).toMatchObject({ low: 0, high: 1 });
    expect((await sureOf(table, { level: 0.2 })).interval).toMatchObject({ low: 0.25, high: 0.25 });
  });

  test('in groups, and with BCa, it is resampled through its sums', async () => {
    const random = new MersenneTwister(1);
    const many = Array.from({ length: 500 }, () => random.below(101));
    const [grouped, plain] = [
      await sureOf(tableOf(many), { groupsAbove: 200 }),
      await sureOf(tableOf(many), { groupsAbove: null }),
    ];
    // The ends lie 2.6 from the mean; of some 170 groups that is known to 1 part in √340, twice that at most here.
    expect(grouped.interval).not.toEqual(plain.interval);
    expect(Math.abs(grouped.interval!.low - plain.interval!.low)).toBeLessThan(0.5);
    expect(Math.abs(grouped.interval!.high - plain.interval!.high)).toBeLessThan(0.5);
    expect((await sureOf(tableOf(TWELVE), { method: 'bca' })).interval).toMatchObject({ method: 'bootstrap-bca' });
  });
});
