import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { bootstrap } from '../../src/stats/bootstrap.ts';

const VALUES = [2.5, 0.1, 3.7, 1.2, 0.4, 9.8, 1.1, 0.9];

describe('bootstrap', () => {
  // numpy 2.4.6: rs = RandomState(42); means of rs.choice(v, 8), 10,000 times; np.percentile at 2.5 and 97.5.
  test('numpy’s interval, to the last bit, over the values as given', () => {
    expect(bootstrap(VALUES, { compat: 'numpy' })).toMatchObject({
      value: 2.4625000000000004,
      low: 0.825,
      high: 4.7625,
      note: null,
    });
  });

  // The same over np.sort(v): the order of the values cannot change it.
  test('by default the order of the values changes nothing', () => {
    const { value, low, high, method, n } = bootstrap(VALUES);
    expect([value, low, high]).toEqual([2.4625, 0.85, 4.787812499999996]);
    expect({ method, n }).toEqual({ method: 'bootstrap-percentile', n: 8 });
    expect(bootstrap(VALUES.toReversed())).toEqual(bootstrap(VALUES));
    expect(bootstrap(VALUES.toReversed(), { compat: 'numpy' }).low).not.toBe(
      bootstrap(VALUES, { compat: 'numpy' }).low,
    );
  });

  // np.median over the same draws of the sorted values.
  test('median', () => {
    const { value, low, high } = bootstrap(VALUES, { statistic: 'median' });
    expect([value, low, high]).toEqual([1.15, 0.4, 3.7]);
  });

  // scipy.stats.bootstrap's BCa ends for the 2,000 means resampled from the sorted values; tenths, so that no mean is rounded.
  test('BCa as SciPy has it for the same resampled means', () => {
    const tenths = VALUES.map((value) => Math.round(10 * value));
    const { low, high, method } = bootstrap(tenths, { method: 'bca', resamples: 2000 });
    expect(method).toBe('bootstrap-bca');
    expect(low).toBeCloseTo(10.875, 10);
    expect(high).toBeCloseTo(57.62057712860906, 10);
  });

  test('the example: three values, of which 1/27 = 3.7 % of the draws hold only the smallest', () => {
    const { value, low, high } = bootstrap([0.1, 0.2, 0.3]);
    expect(value).toBeCloseTo(0.2, 12);
    expect(low).toBeCloseTo(0.1, 12);
    expect(high).toBeCloseTo(0.3, 12);
  });

  test('a statistic of anything: the ratio of sums of pairs', () => {
    const pairs = [
      [1, 2],
      [3, 3],
      [0, 4],
      [2, 2],
    ] as const;
    const { value, low, high } = bootstrap(pairs, {
      statistic: (sample) => sample.reduce((sum, [a]) => sum + a, 0) / sample.reduce((sum, [, b]) => sum + b, 0),
    });
    expect(value).toBe(6 / 11);
    expect(low).toBeGreaterThanOrEqual(0);
    expect(high).toBe(1);
  });

  test('nothing, one value and equal values are said, not drawn as certainty', () => {
    expect(bootstrap([])).toMatchObject({ value: null, low: null, high: null, n: 0, note: 'there is no value' });
    expect(bootstrap([0.7])).toMatchObject({
      value: 0.7,
      low: null,
      note: 'there is one value only: nothing to resample',
    });
    expect(bootstrap([0.7, 0.7, 0.7])).toMatchObject({ low: null, high: null });
    expect(bootstrap([0.7, 0.7, 0.7]).note).toMatch(/^every resample gave the same value/);
  });

  test('numpy’s way draws an interval without width, and says what it is worth', () => {
    expect(bootstrap([0.7], { compat: 'numpy' })).toMatchObject({ low: 0.7, high: 0.7 });
    expect(bootstrap([0.7], { compat: 'numpy' }).note).toMatch(/does not show how sure/);
    expect(bootstrap([], { compat: 'numpy' }).value).toBeNull();
  });

  // numpy 2.4.6: np.mean([-0.0, -0.0]) is 0.0, because np.sum adds to 0.
  test('a mean of nothing but −0 is 0, as numpy has it', () => {
    const { value, low, high } = bootstrap([-0, -0, -0], { compat: 'numpy', resamples: 10 });
    expect([value, low, high].map((end) => Object.is(end, 0))).toEqual([true, true, true]);
  });

  // Every median without one value is 0.3, so the acceleration is 0: percentiles of RandomState(42)'s 2,000 medians at
  // Φ(2 z0 ± 1.96), numpy 2.4.6 and SciPy 1.17.1. Ten times 0.3 added up and divided by ten is not 0.3.
  test('BCa takes rounding for no skewness', () => {
    const values = [0.01, 0.12, 0.25, 0.3, 0.3, 0.3, 0.3, 0.44, 0.9, 1];
    const { low, high } = bootstrap(values, { statistic: 'median', method: 'bca', resamples: 2000 });
    expect(low).toBeCloseTo(0.21, 12);
    expect(high).toBeCloseTo(0.6, 12);
  });

  test('resamples without a value are counted; too many of them leave no interval', () => {
    const share = (sample: readonly number[]): number | null => {
      const kept = sample.filter((one) => one > 0);
      return kept.length === 0 ? null : kept.filter((one) => one > 1).length / kept.length;
    };
    // (2/4)⁴ = 6.25 % of the draws hold neither of the two.
    const found = bootstrap([0, 0, 1, 2], { statistic: share });
    expect(found).toMatchObject({ value: 0.5, low: null, high: null });
    expect(found.undefinedResamples / 10_000).toBeCloseTo(0.0625, 2);
    expect(found.note).toMatch(/^it is undefined in \d+ of 10000 resamples/);
    expect(bootstrap([1, 2], { statistic: () => Number.NaN })).toMatchObject({
      value: null,
      note: 'the statistic has no value here',
    });
  });

  test.each([
    [[1, Number.NaN], {}, /NaN is not a finite number/],
    [[1, Number.POSITIVE_INFINITY], {}, /Infinity is not a finite number/],
    [[1, 2], { resamples: 0 }, /resamples 0/],
    [[1, 2], { resamples: 2.5 }, /resamples 2.5/],
    [[1, 2], { level: 1 }, /level 1/],
    [[1, 2], { level: Number.NaN }, /level NaN/],
    [[1, 2], { seed: -1 }, /seed -1/],
    [[1, 2], { method: 'bca', compat: 'numpy' }, /no numpy to be compatible with/],
  ] as const)('refuses %j with %j', (values, options, message) => {
    expect(() => bootstrap(values, options)).toThrow(UsageError);
    expect(() => bootstrap(values, options)).toThrow(message);
  });
});
