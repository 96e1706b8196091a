import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { type ItemAverage, itemAverages, type ScoredItem } from '../../src/experiment/item-averages.ts';
import { readCaseResults } from '../../src/score/run-file.ts';
import { measure } from '../report/made-up-run.ts';
import { folders, spansCases } from '../score/scored-folders.ts';

/** One item for each value of `f1`, i01, i02, …; null: an item without one. */
function items(values: readonly (number | null)[]): ScoredItem[] {
  return values.map((f1, at) => ({ case: `i${String(at + 1).padStart(2, '0')}`, measures: { f1 } }));
}

async function only(
  cases: Iterable<ScoredItem>,
  options: Parameters<typeof itemAverages>[1] = {},
): Promise<ItemAverage> {
  const [average] = await itemAverages(cases, options);
  return average!;
}

describe('an average over items', () => {
  test('counts every item the same, and those without a value or failed for themselves', async () => {
    const cases: ScoredItem[] = [
      { case: 'a', measures: { recall: 0.5 } },
      { case: 'b', measures: { recall: 1 } },
      { case: 'c', measures: { recall: null } },
      { case: 'd', measures: { recall: null }, failed: 'no answer in 60 s' },
    ];
    // (1/2 − 3/4)² + (1 − 3/4)² = 1/8, over n − 1 = 1.
    expect(await only(cases)).toMatchObject({
      name: 'recall',
      mean: 0.75,
      undefined: null,
      n: 2,
      without: 1,
      failed: 1,
      min: 0.5,
      max: 1,
      sd: Math.sqrt(1 / 8),
    });
  });

  test('a 0 is a value', async () => {
    expect(await only(items([0, 0, 0.75]))).toMatchObject({ mean: 0.25, n: 3, without: 0, min: 0 });
  });

  test('a value of an item that failed is in no mean, whatever it is', async () => {
    const cases = [...items([0.2, 0.4]), { case: 'x', measures: { f1: 1 }, failed: 'schema' }];
    const average = await only(cases);
    expect(average.mean).toBeCloseTo(0.3, 15);
    expect(average).toMatchObject({ n: 2, failed: 1, max: 0.4 });
  });

  test('is undefined with the reason where no item has a value', async () => {
    expect(await only(items([null, null]))).toMatchObject({
      mean: null,
      undefined: 'no item has a value',
      n: 0,
      without: 2,
      interval: null,
      noInterval: 'there is no value',
    });
    expect(await only([{ case: 'a', measures: { f1: null }, failed: 'rate' }])).toMatchObject({
      mean: null,
      undefined: 'no item was scored',
      failed: 1,
    });
    expect(await itemAverages([])).toEqual([]);
  });

  test('each measure stands for itself, and knows its direction where the run says it', async () => {
    const cases = [
      { case: 'a', measures: { f1: 1, over: 2 } },
      { case: 'b', measures: { f1: null, over: 1 } },
    ];
    const measures = [measure('f1', 1), measure('over', 1.5, { direction: 'lower', best: 1 })];
    const [f1, over] = await itemAverages(cases, { measures });
    expect(f1).toMatchObject({ mean: 1, n: 1, without: 1, direction: 'higher' });
    expect(f1).not.toHaveProperty('best');
    expect(over).toMatchObject({ mean: 1.5, n: 2, without: 0, direction: 'lower', best: 1 });
    expect(await only(cases)).not.toHaveProperty('direction');
  });

  test('a measure named like a part of every object is a measure', async () => {
    const cases = ['0.25', '0.75'].map((value) => ({
      case: value,
      measures: JSON.parse(`{"__proto__": ${value}, "toString": null}`) as Record<string, number | null>,
    }));
    expect(await itemAverages(cases)).toMatchObject([
      { name: '__proto__', mean: 0.5, n: 2 },
      { name: 'toString', mean: null, without: 2 },
    ]);
  });
});

const TWELVE = [0.53, 0.46, 0.34, 0.68, 0, 0.72, 0, 0.41, 0.98, 0.37, 0, 0.51];

/**
 * rs = np.random.RandomState(seed); means = [np.mean(rs.choice(v, len(v), replace=True)) for _ in range(resamples)];
 * np.percentile(means, (1 - level) / 2 * 100) and so on, numpy 2.4.6.
 */
describe('its interval', () => {
  test.each([
    [TWELVE, {}, 0.255, 0.5824999999999999, 0.95],
    [TWELVE, { seed: 7, level: 0.9, resamples: 2000 }, 0.27745833333333336, 0.553375, 0.9],
    [[1, 0.5, 1, 0.25, 0, 0.75, 1], {}, 0.35714285714285715, 0.8928571428571429, 0.95],
  ] as const)('is numpy’s to the last bit: %j %j', async (values, settings, low, high, level) => {
    expect((await only(items(values), settings)).interval).toEqual({
      low,
      high,
      level,
      method: 'bootstrap-percentile',
    });
  });

  test('does not depend on the order of the items, nor on those without a value', async () => {
    const average = await only(items(TWELVE));
    expect((await only(items(TWELVE).toReversed())).interval).toEqual(average.interval);
    const gaps = [{ case: 'a', measures: { f1: null } }, ...items(TWELVE), { case: 'z', measures: { f1: null } }];
    expect((await only(gaps)).interval).toEqual(average.interval);
  });

  test('is not drawn from fewer than two values, nor from equal ones', async () => {
    expect(await only(items([0.5]))).toMatchObject({
      mean: 0.5,
      sd: null,
      interval: null,
      noInterval: 'there is one item only: nothing to resample',
    });
    expect((await only(items([null, 0.5]))).noInterval).toBe(
      'only one item has anything to measure: nothing to resample',
    );
    expect((await only(items([1, 1, 1]))).noInterval).toContain('every resample gave the same value');
  });

  test('items of one cluster, and several answers of one item, are drawn together', async () => {
    // Two units, {0, 0, 0} and {1}: the four draws give 0, 1/4, 1/4 and 1.
    const clustered = [0, 0, 0, 1].map((f1, at) => ({
      case: `c${at}`,
      measures: { f1 },
      cluster: f1 === 0 ? 'x' : 'y',
    }));
    const repeated = [0, 0, 0, 1].map((f1) => ({ case: f1 === 0 ? 'x' : 'y', measures: { f1 } }));
    for (const cases of [clustered, repeated]) {
      expect(await only(cases)).toMatchObject({ mean: 0.25, n: 4, interval: { low: 0, high: 1 } });
      expect((await only(cases, { level: 0.2 })).interval).toMatchObject({ low: 0.25, high: 0.25 });
    }
  });

  test('settings that cannot be are refused', async () => {
    await expect(itemAverages(items(TWELVE), { level: 95 })).rejects.toThrow(UsageError);
  });
});

const scored = folders();

test('of a scored run it is the mean over cases that measures.json holds, to the last bit', async () => {
  const run = await scored(
    'spans',
    spansCases(
      [
        [2, 1, 1],
        [0, 0, 3],
        [4, 0, 0],
        [1, 2, 0],
        [0, 1, 0],
        [3, 3, 3],
      ],
      (at) => (at === 3 ? { failed: 'no answer in 60 s' } : {}),
    ),
  );
  const averages = await itemAverages(readCaseResults(run.folder), { measures: run.measures.measures });
  expect(averages.map(({ name }) => name)).toEqual(['precision', 'recall', 'f1']);
  for (const { name, n, without, mean, min, max, sd, failed } of averages) {
    const overall = run.measures.measures.find((one) => one.name === name && Object.keys(one.slice).length === 0)!;
    expect({ n, undefined: without, mean, min, max, sd }).toEqual(overall.cases);
    expect(failed).toBe(1);
  }
  // Recall 2/3, 0, 1, undefined where there is no gold, and 1/2: the failed one, which is 1, is not in it.
  expect(averages[1]).toMatchObject({ n: 4, without: 1 });
  expect(averages[1]!.mean).toBeCloseTo((2 / 3 + 1 + 1 / 2) / 4, 15);
});
