import { describe, expect, test } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { pooledDistribution } from '../../../src/stream/measure/measure-stream.ts';
import { line, logged } from '../../measure/logged-items.ts';

const settings = { resamples: 1000, level: 0.95, seed: 42 };

/** One case for each list of numbers; without a list one that failed. */
function pooled(cases: readonly (readonly number[] | null)[], interval: typeof settings | null = settings) {
  const seen = cases.map((own, at) => ({
    given: makeCase({
      id: `c${at}`,
      failed: own === null ? 'this case has no run log' : null,
      logged: (own ?? []).map((ms) => logged('flush', { ms })),
    }),
    verdicts: (own ?? []).map((ms) => line('flush', { ms })),
  }));
  return pooledDistribution(seen, { kind: 'flush', field: 'ms' }, interval);
}

describe('numbers that come in cases, pooled', () => {
  test('count, ends, mean, percentiles and intervals are numpy’s', async () => {
    // numpy 2.4.6: RandomState(42).randint(0, 5, 5) draws cases 1,000 times; np.percentile of their numbers together.
    const found = (await pooled([[100, 250, 300], [120], [500, 90, 80, 400], [], [210, 220]]))!;
    expect(found).toMatchObject({ count: 10, cases: 4, min: 80, max: 500, mean: 227 });
    expect(found.percentiles.map(({ name }) => name)).toEqual(['p50', 'p90', 'p95', 'p99']);
    const values = found.percentiles.map(({ value }) => value);
    [215, 410, 455, 491].forEach((expected, at) => expect(values[at]).toBeCloseTo(expected, 9));
    const ends = found.percentiles.map(({ interval }) => [interval?.low, interval?.high]);
    const expected = [
      [120, 250],
      [218, 500],
      [219, 500],
      [219.8, 500],
    ];
    ends.flat().forEach((end, at) => expect(end).toBeCloseTo(expected.flat()[at]!, 9));
  });

  test('a case that failed is drawn as one without numbers', async () => {
    const found = await pooled([[100, 250, 300], null, [500, 90, 80, 400]]);
    expect(found).toEqual(await pooled([[100, 250, 300], [], [500, 90, 80, 400]]));
  });

  test('the order within a case changes nothing', async () => {
    const found = await pooled([
      [3, 1, 2],
      [8, 9],
    ]);
    expect(found).toEqual(
      await pooled([
        [1, 2, 3],
        [9, 8],
      ]),
    );
  });

  test('without a number there is nothing to say; from one case, or where none is asked for, there is no interval', async () => {
    expect(await pooled([[], []])).toBeNull();
    const noInterval = 'only one case has anything to measure: nothing to resample';
    for (const cases of [[[1, 2], []], [[1, 2]]])
      expect((await pooled(cases))!.percentiles[0]).toEqual({ name: 'p50', value: 1.5, interval: null, noInterval });
    const unasked = (await pooled([[1, 2], [3]], null))!.percentiles[0]!;
    expect(unasked).toMatchObject({ value: 2, interval: null, noInterval: expect.stringContaining('too few') });
  });
});
