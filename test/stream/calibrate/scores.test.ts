import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { percentile } from '../../../src/measure/numpy.ts';
import { CASE_COLUMNS, recordBy } from '../../../src/stream/calibrate/case-table.ts';
import { ScoreReader } from '../../../src/stream/calibrate/scores.ts';

/** A table of one policy whose cases have these values in every column. */
function readerOf(values: readonly number[]): ScoreReader {
  const columns = recordBy(CASE_COLUMNS, () => Float64Array.from(values));
  return new ScoreReader({ cases: values.length, policies: 1, columns });
}

describe('scores over cases', () => {
  const reader = readerOf([40, 10, Number.NaN, 30]);
  const once = reader.everyCase();

  test('of 40, 10 and 30, one case having none: mean, median, p95, largest and sum', () => {
    expect(reader.score('flush_count_mean', 0, once)).toBeCloseTo(80 / 3, 12);
    expect(reader.score('ttff_content_p50_ms', 0, once)).toBe(30);
    // Place 1.9 between 30 and 40.
    expect(reader.score('ttff_content_p95_ms', 0, once)).toBeCloseTo(39, 12);
    expect(reader.score('chunk_size_p95', 0, once)).toBe(40);
    expect(reader.score('cases_without_flush', 0, once)).toBe(80);
    expect(reader.scores(0, once).flush_count_mean.n).toBe(3);
  });

  test('a case that is drawn twice counts twice, one that is not drawn does not count', () => {
    const times = Float64Array.of(0, 2, 1, 1);
    expect(reader.score('flush_count_mean', 0, times)).toBeCloseTo(50 / 3, 12);
    expect(reader.score('ttff_content_p50_ms', 0, times)).toBe(10);
    expect(reader.scores(0, times).flush_count_mean.n).toBe(3);
  });

  test('there is no score without a value', () => {
    const times = Float64Array.of(0, 0, 4, 0);
    expect(reader.score('flush_count_mean', 0, times)).toBeNaN();
    expect(reader.score('ttff_content_p50_ms', 0, times)).toBeNaN();
  });

  test('a percentile is that of the list in which each value stands as often as it was drawn', () => {
    const drawn = fc.record({ value: fc.integer({ min: -50, max: 50 }), times: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 12 }), (cases) => {
        const list = cases.flatMap(({ value, times }) => Array.from({ length: times }, () => value));
        const found = readerOf(cases.map(({ value }) => value));
        const times = Float64Array.from(cases, (one) => one.times);
        const sorted = list.toSorted((a, b) => a - b);
        for (const [name, q] of [
          ['ttff_content_p50_ms', 0.5],
          ['ttff_content_p95_ms', 0.95],
          ['chunk_size_p95', 1],
        ] as const)
          expect(found.score(name, 0, times)).toBe(list.length === 0 ? Number.NaN : percentile(sorted, q));
      }),
      { seed: 20261, numRuns: 300 },
    );
  });
});
