import { describe, expect, test } from 'vitest';

import { ends, intervalFrom } from '../../src/stats/interval.ts';

const none = (): number[] => [];
const drawn = (values: readonly number[], missing = 0) => ({
  values: Float64Array.from(values),
  undefined: missing,
});

describe('the percentile interval', () => {
  test('is the middle of the resampled values, whatever their order', () => {
    // Of 0, 1, … 100 the middle 90 % lie between place 5 and place 95.
    const values = Array.from({ length: 101 }, (_, at) => (at * 37) % 101);
    const { interval } = intervalFrom(drawn(values), 50, 0.9, 'percentile', none);
    expect(interval).toMatchObject({ level: 0.9, method: 'bootstrap-percentile' });
    expect(interval?.low).toBeCloseTo(5, 12);
    expect(interval?.high).toBeCloseTo(95, 12);
  });

  test('none where all resamples agree, also where only rounding sets them apart', () => {
    const why = 'every resample gave the same value: these cases cannot show how much it varies';
    expect(intervalFrom(drawn([0.5, 0.5, 0.5]), 0.5, 0.3, 'percentile', none)).toEqual({
      interval: null,
      noInterval: why,
    });
    const third = [0.33333333333333337, 0.3333333333333333, 0.33333333333333326];
    expect(intervalFrom(drawn(third), 1 / 3, 0.3, 'percentile', none).noInterval).toBe(why);
    expect(intervalFrom(drawn([0, 0, 0]), 0, 0.3, 'bca', none).noInterval).toBe(why);
    expect(intervalFrom(drawn([-1e-9, 0, 1e-9]), 0, 0.3, 'percentile', none).interval).not.toBeNull();
  });

  test('none from so few resamples that less than one lies beyond each end', () => {
    // 2.5 % of 40 resamples are one, of 39 less than one; 5 % of 20 and 0.05 % of 2,000 are one as well.
    const some = (length: number) => drawn(Array.from({ length }, (_, at) => at));
    for (const [enough, level] of [[40, 0.95] as const, [20, 0.9] as const, [2000, 0.999] as const]) {
      expect(intervalFrom(some(enough), 1, level, 'percentile', none).interval).not.toBeNull();
      for (const method of ['percentile', 'bca'] as const)
        expect(intervalFrom(some(enough - 1), 1, level, method, none)).toEqual({
          interval: null,
          noInterval: `${enough - 1} resamples are too few to find the ends of a level of ${level}: ${enough} or more are needed`,
        });
    }
    expect(intervalFrom(some(1), 0, 0.95, 'percentile', none).noInterval).toMatch(/^1 resample is too few/);
  });

  test('one in twenty undefined is let pass, one more is not', () => {
    const values = Array.from({ length: 95 }, (_, at) => at);
    expect(intervalFrom(drawn(values, 5), 47, 0.95, 'percentile', none).interval).not.toBeNull();
    expect(intervalFrom(drawn(values, 6), 47, 0.95, 'percentile', none)).toEqual({
      interval: null,
      noInterval: 'it is undefined in 6 of 101 resamples: too few units have anything to measure',
    });
    expect(intervalFrom(drawn([], 10), 0, 0.95, 'percentile', none).interval).toBeNull();
  });
});

describe('the BCa interval', () => {
  const values = Array.from({ length: 1001 }, (_, at) => at);

  test('is the percentile interval where there is neither bias nor skewness', () => {
    const { interval } = intervalFrom(drawn(values), 500, 0.9, 'bca', () => [1, 2, 3]);
    expect(interval?.method).toBe('bootstrap-bca');
    expect(interval?.low).toBeCloseTo(50, 9);
    expect(interval?.high).toBeCloseTo(950, 9);
  });

  test('moves both ends by 2 z0 where there is bias only', () => {
    // 600.5 of 1001 lie below 600 with ties half: z0 = Φ⁻¹(0.5999), ends at Φ(2 z0 ± 1.644854): scipy.stats.norm.
    const { interval } = intervalFrom(drawn(values), 600, 0.9, 'bca', () => [1, 2, 3]);
    expect(interval?.low).toBeCloseTo(127.4190410117969, 6);
    expect(interval?.high).toBeCloseTo(984.2631113795792, 6);
  });

  test('moves them by the skewness of the values without each unit', () => {
    // [0, 0, 0, 4]: mean 1, d = 1, 1, 1, −3: Σd³ = −24, Σd² = 12, a = −24 / (6 · 12^1.5) = −0.096225; z0 = 0.
    const { interval } = intervalFrom(drawn(values), 500, 0.9, 'bca', () => [0, 0, 0, 4]);
    expect(interval?.low).toBeCloseTo(25.341817801843682, 6);
    expect(interval?.high).toBeCloseTo(922.2089201524491, 6);
  });

  test('counts a resample of the same worth as a tie, whatever its last bit', () => {
    const third = [0.33333333333333337, 0.3333333333333333, 0.33333333333333326];
    const ties = intervalFrom(drawn([0, ...third, 1]), third[2]!, 0.5, 'bca', none);
    const same = intervalFrom(drawn([0, ...third, 1]), third[0]!, 0.5, 'bca', none);
    expect(ties).toEqual(same);
    // Three ties in the middle of five: z0 = Φ⁻¹(0.5) = 0, so the ends are the quartiles.
    expect(ties.interval?.low).toBeCloseTo(1 / 3, 12);
  });

  test('has no ends where every resample lies on one side of the value', () => {
    const { interval, noInterval } = intervalFrom(drawn(values), 2000, 0.95, 'bca', () => [1, 2]);
    expect(interval).toBeNull();
    expect(noInterval).toMatch(/^BCa has no ends here/);
  });

  test('has none where the level is too high for so skewed a value, instead of ends that changed places', () => {
    // z0 = Φ⁻¹(0.9995) = 3.29 and z = 4.89 at 1 − 10⁻⁶: with a = 0.1515, 1 − a (z0 + z) is below 0.
    const skewed = Array.from({ length: 200 }, (_, at) => (at === 0 ? -1 : 0));
    expect(intervalFrom(drawn(values), 1000, 0.999999, 'bca', () => skewed).interval).toBeNull();
    expect(intervalFrom(drawn(values), 1000, 0.95, 'bca', () => skewed).interval).not.toBeNull();
  });
});

test.each([
  [0.5, 25, 75],
  [0.68, 16, 84],
  [0.9, 5, 95],
  [0.95, 2.5, 97.5],
  [0.99, 0.5, 99.5],
  [0.999, 0.05, 99.95],
  [0.9999999999, 0.000000005, 99.999999995],
])('the ends of level %d are the percentages %d and %d, as one writes them for numpy', (level, low, high) => {
  // numpy divides what is written by 100.
  expect(ends(level)).toEqual([low / 100, high / 100]);
});
