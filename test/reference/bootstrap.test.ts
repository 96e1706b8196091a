import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { bootstrap } from '../../src/stats/bootstrap.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { noReference, referenceJson } from './reference-data.ts';

const reference = z.object({
  mt19937_seed42_first10_uint32: z.array(z.number()),
  cases: z.array(
    z.object({
      name: z.string(),
      values: z.array(z.number()),
      seed: z.number(),
      n_resamples: z.number(),
      ci_level: z.number(),
      mean: z.number(),
      ci_low: z.number(),
      ci_high: z.number(),
      first_20_indices_of_fresh_randint_stream: z.array(z.number()),
      first_5_bootstrap_means_17g: z.array(z.string()),
    }),
  ),
});

const published = z.object({
  variants: z.record(
    z.string(),
    z.looseObject({
      m4_trace_coverage: z.object({ mean: z.number(), ci_low: z.number(), ci_high: z.number() }),
      m6a: z.object({ mean: z.number(), ci_low: z.number(), ci_high: z.number() }),
      m6b: z.object({ mean: z.number(), ci_low: z.number(), ci_high: z.number() }),
    }),
  ),
});

const perCase = z.record(
  z.string(),
  z.array(z.looseObject({ m4_trace_coverage: z.number(), m6a_mean: z.number(), m6b_mean: z.number() })),
);

describe.skipIf(noReference)('numpy’s answers, to the last bit', () => {
  test('the random numbers of seed 42', () => {
    const { mt19937_seed42_first10_uint32: expected } = reference.parse(
      referenceJson('stats/bootstrap_reference.json'),
    );
    const random = new MersenneTwister(42);
    expect(expected.map(() => random.uint32())).toEqual(expected);
  });

  test('means, intervals, the first indexes and the first resampled means of every case', () => {
    const { cases } = reference.parse(referenceJson('stats/bootstrap_reference.json'));
    expect(cases).toHaveLength(8);
    for (const given of cases) {
      const { values, seed, n_resamples: resamples, ci_level: level } = given;
      const random = new MersenneTwister(seed);
      const indexes = given.first_20_indices_of_fresh_randint_stream;
      expect(
        indexes.map(() => random.below(values.length)),
        given.name,
      ).toEqual(indexes);

      const means: number[] = [];
      bootstrap(values, {
        compat: 'numpy',
        seed,
        resamples: 5,
        statistic(sample) {
          const { value } = bootstrap(sample, { compat: 'numpy', resamples: 1 });
          means.push(value ?? Number.NaN);
          return value;
        },
      });
      // The first one is the mean of the values themselves.
      expect(means.slice(1), given.name).toEqual(given.first_5_bootstrap_means_17g.map(Number));

      const { value, low, high } = bootstrap(values, { compat: 'numpy', seed, resamples, level });
      expect({ value, low, high }, given.name).toEqual({ value: given.mean, low: given.ci_low, high: given.ci_high });
    }
  });

  test('the fifteen published intervals of the streaming summaries follow from the values per case', () => {
    const { variants } = published.parse(referenceJson('stream/metrics/aggregate.published.json'));
    const values = perCase.parse(referenceJson('stream/metrics/per_case.values.json'));
    let compared = 0;
    for (const [variant, own] of Object.entries(variants)) {
      const cases = values[variant] ?? [];
      const columns = [
        { expected: own.m4_trace_coverage, of: cases.map((one) => one.m4_trace_coverage) },
        { expected: own.m6a, of: cases.map((one) => one.m6a_mean) },
        { expected: own.m6b, of: cases.map((one) => one.m6b_mean) },
      ];
      for (const { expected, of } of columns) {
        expect(of).toHaveLength(40);
        const { value, low, high } = bootstrap(of, { compat: 'numpy' });
        expect({ mean: value, ci_low: low, ci_high: high }, variant).toEqual(expected);
        compared += 1;
      }
    }
    expect(compared).toBe(15);
  });
});
