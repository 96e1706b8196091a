import { describe, expect, test } from 'vitest';

import { pooledDistribution } from '../../src/stats/pooled-distribution.ts';

const settings = { resamples: 1000, level: 0.95, seed: 42 };
const shares = [0.5, 0.9, 0.95, 0.99];

describe('numbers that come in cases, pooled', () => {
  test('count, ends, mean, percentiles and intervals are numpy’s', () => {
    // numpy 2.4.6: RandomState(42).randint(0, 5, 5) draws cases 1,000 times; np.percentile of their numbers together.
    const found = pooledDistribution([[100, 250, 300], [120], [500, 90, 80, 400], [], [210, 220]], shares, settings)!;
    expect(found).toMatchObject({ count: 10, cases: 4, min: 80, max: 500, mean: 227 });
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

  test('the order within a case changes nothing', () => {
    const one = pooledDistribution(
      [
        [1, 2, 3],
        [9, 8],
      ],
      shares,
      settings,
    );
    expect(
      pooledDistribution(
        [
          [3, 1, 2],
          [8, 9],
        ],
        shares,
        settings,
      ),
    ).toEqual(one);
  });

  test('without a number there is nothing to say, from one case there is no interval', () => {
    expect(pooledDistribution([[], []], shares, settings)).toBeNull();
    const one = pooledDistribution([[1, 2], []], [0.5], settings)!;
    expect(one.percentiles).toEqual([
      {
        share: 0.5,
        value: 1.5,
        interval: null,
        noInterval: 'only one case has anything to measure: nothing to resample',
      },
    ]);
  });
});
