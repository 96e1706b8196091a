import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';
import { z } from 'zod';

import { outliersOf } from '../../../src/stream/measure/measure-stream.ts';
import { noReference, referenceJson, referencePath } from '../../reference/reference-data.ts';

test('what lies beyond the 95th or below the 5th percentile of the cases stands out', () => {
  // numpy: p95 of the latencies 4260, of the flushes 13.6; p5 of the coverages 0.12.
  const cases = [
    { latency: 1000, flushes: 10, coverage: 0.1 },
    { latency: 1100, flushes: 10, coverage: 0.2 },
    { latency: 1200, flushes: 10, coverage: 0.3 },
    { latency: 1300, flushes: 12, coverage: 0.4 },
    { latency: 5000, flushes: 14, coverage: 0.5 },
  ];
  expect(outliersOf(cases)).toEqual([['low_coverage'], [], [], [], ['latency_spike', 'excessive_flushes']]);
});

test('a case without a value does not stand out, and equal cases do not either', () => {
  const same = { latency: null, flushes: 3, coverage: 0.5 };
  expect(outliersOf([same, same, { ...same, coverage: null }])).toEqual([[], [], []]);
});

test.skipIf(noReference)('low coverage as published: below the 5th percentile of 40 cases in five variants', () => {
  const variants = values.parse(referenceJson('stream/metrics/per_case.values.json'));
  const cases = Object.entries(variants).flatMap(([variant, own]) => own.map((record) => ({ ...record, variant })));
  expect(cases).toHaveLength(200);
  const flags = outliersOf(
    cases.map(({ m4_trace_coverage: coverage }) => ({ latency: null, flushes: null, coverage })),
  );
  const low = cases.filter((_, at) => flags[at]!.length > 0).map(({ variant, case_id: id }) => `${variant} ${id}`);
  expect(low).toHaveLength(10);
  const published = readFileSync(referencePath('stream/metrics/per_case.metrics.jsonl'), 'utf8');
  for (const line of published.trim().split('\n')) {
    const { variant_id: variant, case_id: id, outlier_low_coverage: isLow } = flagged.parse(JSON.parse(line));
    expect(low.includes(`${variant} ${id}`), `${variant} ${id}`).toBe(isLow);
  }
});

const values = z.record(z.string(), z.array(z.looseObject({ case_id: z.string(), m4_trace_coverage: z.number() })));
const flagged = z.looseObject({ variant_id: z.string(), case_id: z.string(), outlier_low_coverage: z.boolean() });
