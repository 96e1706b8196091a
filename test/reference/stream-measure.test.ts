import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { isRecord } from '../../src/data/record-fields.ts';
import { legacyCases } from '../../src/stream/measure/legacy-aggregate.ts';
import type { CaseResult } from '../../src/measure/tally.ts';
import { measureStream } from '../../src/stream/measure/measure-stream.ts';
import type { ConceptExtractor } from '../../src/stream/concepts/extractor.ts';
import { noReference, referencePath } from './reference-data.ts';

/** The published concepts came from UMLS, which is not at hand: nothing is found, and nothing of it is looked at. */
const none: ConceptExtractor = {
  identity: { name: 'none', version: '1', settings: {}, knowledgeBase: null, stoplist: null },
  extract: () => Promise.resolve([]),
};

/** Of a published record, what needs no concepts. */
const WITHOUT_CONCEPTS = [
  'm1_update_count',
  'm2_output_ctu',
  'trace_ctu',
  'virtual_time_duration_ms',
  'trace_ctu_per_s',
  'summary_ctu_per_s',
  'm8_summary_latency_ms_mean',
  'm8_summary_latency_distribution_ms',
  'm8_buffer_decision_latency_ms_mean',
  'm8_buffer_decision_latency_distribution_ms',
  'm9_buffer_decision_count',
  'm9_prompt_ctu_total',
  'm9_completion_ctu_total',
  'm9_total_llm_ctu',
  'm10_schema_failure_count',
  'm10_schema_failure_rate',
  'm10_compliance_rate',
  'flush_count',
  'flush_reason_counts',
  'flush_accumulated_ctu_distribution',
  'flush_interval_ms_distribution',
  'control_plane_latency_ms',
  'content_plane_latency_ms',
  'total_plane_latency_ms',
  'control_plane_latency_pct',
  'content_plane_latency_pct',
  'faithfulness_valid_event_count',
  'excluded_from_faithfulness_count',
  'outlier_latency_spike',
  'outlier_excessive_flushes',
] as const;

/** Our measures, and where their values stand in a published record. */
const BY_NAME: Readonly<Record<string, string>> = {
  summary_count: 'm1_update_count',
  summary_ctu: 'm2_output_ctu',
  summary_latency_ms: 'm8_summary_latency_ms_mean',
  summary_latency_ms_p50: 'm8_summary_latency_distribution_ms/p50',
  summary_latency_ms_p90: 'm8_summary_latency_distribution_ms/p90',
  summary_latency_ms_p95: 'm8_summary_latency_distribution_ms/p95',
  summary_latency_ms_p99: 'm8_summary_latency_distribution_ms/p99',
  decision_latency_ms: 'm8_buffer_decision_latency_ms_mean',
  decision_latency_ms_p95: 'm8_buffer_decision_latency_distribution_ms/p95',
  llm_ctu_total: 'm9_total_llm_ctu',
  decision_count: 'm9_buffer_decision_count',
  schema_failure_rate: 'm10_schema_failure_rate',
  schema_failures: 'm10_schema_failure_count',
  flush_count: 'flush_count',
  flush_ctu: 'flush_accumulated_ctu_distribution/mean',
  flush_ctu_p50: 'flush_accumulated_ctu_distribution/p50',
  flush_interval_ms: 'flush_interval_ms_distribution/mean',
  flush_interval_ms_p99: 'flush_interval_ms_distribution/p99',
  trace_ctu_per_s: 'trace_ctu_per_s',
  summary_ctu_per_s: 'summary_ctu_per_s',
};

const published = z.looseObject({
  case_id: z.string(),
  variant_id: z.string(),
  trace_ctu: z.number(),
  m2_output_ctu: z.number(),
});

const out = mkdtempSync(join(tmpdir(), 'assay-stream-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

describe.skipIf(noReference)('the published measures that need no concepts', () => {
  test('every figure of 8 cases and 5 variants, joined by a space as it was then', async () => {
    const variants = await measureStream({
      traces: referencePath('stream/traces'),
      runs: referencePath('stream/runs'),
      variants: null,
      extractor: none,
      out,
      set: ['stream.join=space', 'interval.resamples=100'],
    });
    expect(variants.map(({ variant }) => variant)).toEqual(['V0', 'V1', 'V2', 'V3', 'V4']);
    const found = new Map<string, Record<string, unknown>>(
      legacyCases(variants).map((record) => [`${String(record['variant_id'])} ${String(record['case_id'])}`, record]),
    );
    const measured = new Map<string, CaseResult>(
      variants.flatMap(({ variant, cases }) =>
        cases.map(({ name, result }) => [`${variant} ${name}`, result] as const),
      ),
    );
    const expected = readFileSync(referencePath('stream/metrics/per_case.metrics.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => published.parse(JSON.parse(line)));
    expect(expected).toHaveLength(40);
    for (const record of expected) {
      const key = `${record.variant_id} ${record.case_id}`;
      const own = found.get(key);
      for (const field of WITHOUT_CONCEPTS) expect(own?.[field], `${key} ${field}`).toEqual(record[field]);
      const { measures } = measured.get(key)!;
      for (const [name, path] of Object.entries(BY_NAME)) {
        const value = path.split('/').reduce<unknown>((at, part) => (isRecord(at) ? at[part] : null), record) ?? null;
        expect(measures[name], `${key} ${name}`).toBe(value);
      }
      expect(measures['compression_ratio']).toBe(1 - record.m2_output_ctu / record.trace_ctu);
      expect(measures['decision_latency_share'] ?? null).toBe(record['control_plane_latency_pct']);
    }
  });
});
