import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { isRecord } from '../../../src/data/record-fields.ts';
import { bootstrap } from '../../../src/stats/bootstrap.ts';
import { STREAM_OUTPUTS } from '../../../src/stream/record-shapes.ts';
import type { FileFinding } from '../../../src/stream/validate/findings.ts';
import { validateFiles } from '../../../src/stream/validate/validate.ts';
import { example, temporaryFolder } from '../../cli/run-assay.ts';
import { keptFolder } from '../../examples/kept-folder.ts';
import { runHere } from '../../examples/run-here.ts';
import { jsonLines } from '../../examples/stream-files.ts';

type Fields = Record<string, unknown>;
interface Entry {
  readonly metric: string | null;
  readonly name: string;
  readonly value: number | null;
  readonly direction: string;
  readonly n: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly no_interval: string | null;
}
interface Variant extends Fields {
  readonly metrics: Readonly<Record<string, Entry>>;
  readonly intervals: Readonly<
    Record<string, { readonly low?: number; readonly high?: number; readonly undefined?: string }>
  >;
}

const out = keptFolder();
const measures = join(out, 'measures');
let cases: (Fields & { readonly metrics: Readonly<Record<string, Entry>> })[] = [];
let aggregate: Fields & { readonly variants: Readonly<Record<string, Variant>> };

// Answers that were written by hand: one failed decision, summaries that failed their schema, every kind of flush.
beforeAll(async () => {
  const files = ['--traces', example('stream/traces'), '--runs', example('stream/answers')];
  await runHere(['stream', 'measure', ...files, '--variants', 'V0,V1', '--out', measures, '--quiet']);
  cases = jsonLines(readFileSync(join(measures, 'per_case.metrics.jsonl'), 'utf8'));
  aggregate = JSON.parse(readFileSync(join(measures, 'aggregate.metrics.json'), 'utf8'));
});

/** As the seed document numbers them. */
const NUMBERED = {
  m1_compression_ratio: ['M1', 'higher'],
  m2_summary_count: ['M2', 'lower'],
  m3_redundancy: ['M3', 'lower'],
  m4_trace_coverage: ['M4', 'higher'],
  m5a_unsupported_global: ['M5a', 'lower'],
  m5b_unsupported_per_summary: ['M5b', 'lower'],
  m6a_unsupported_in_window: ['M6a', 'lower'],
  m6b_unsupported_in_contract: ['M6b', 'lower'],
  m7_summary_latency_ms: ['M7', 'lower'],
  m8_llm_ctu_total: ['M8', 'lower'],
  m9_decision_count: ['M9', 'lower'],
  m9_decision_ctu: ['M9', 'lower'],
  m10_schema_failure_rate: ['M10', 'lower'],
  m10_schema_failures: ['M10', 'lower'],
} as const;

/** Counts, ends, percentiles and intervals beside a mean. */
const NO_MEAN = /intervals|\/(?:n|count|min|max|p\d+|ci_\w+|\w+_count)$/;

describe('metric files', () => {
  it('have the numbers, names and directions of the seed document, per case and in all', () => {
    expect(cases).toHaveLength(10);
    for (const { metrics } of [...cases, ...Object.values(aggregate.variants)])
      for (const [field, [metric, direction]] of Object.entries(NUMBERED))
        expect(metrics[field], field).toMatchObject({ metric, direction });
    const fields = ['m3_redundancy_at_0.90', 'm4_coverage_at_250', 'm7_decision_latency_ms_p95', 'summary_ctu'];
    expect(cases[0]!.metrics).toMatchObject(Object.fromEntries(fields.map((field) => [field, {}])));
  });

  it('decision_ctu: prompts and answers of the decisions and of nothing else', () => {
    for (const {
      variant_id: variant,
      m9_buffer_decision_count: count,
      m9_buffer_decision_ctu: ctu,
      metrics,
    } of cases) {
      expect(metrics['m9_decision_count']!.value).toBe(count);
      expect(metrics['m9_decision_ctu']!.value).toBe(ctu);
      expect(Number(ctu) > 0, String(variant)).toBe(variant === 'V0');
    }
    const of = (variant: string): number[] =>
      cases.filter((one) => one['variant_id'] === variant).map((one) => Number(one['m9_buffer_decision_ctu']));
    const mean = of('V0').reduce((sum, one) => sum + one, 0) / 5;
    expect(aggregate.variants['V0']!.metrics['m9_decision_ctu']!.value).toBeCloseTo(mean, 9);
  });

  it('counts what M6 is a mean of: one of V1’s 27 summaries failed its schema', () => {
    expect(aggregate.variants['V1']).toMatchObject({
      faithfulness_valid_event_count: 26,
      excluded_from_faithfulness_count: 1,
      schema_failures: 1,
    });
    const failed = cases.filter((one) => one['schema_failures'] !== 0);
    expect(failed).toMatchObject([{ case_id: 'case-02', variant_id: 'V1', schema_failures: 1 }]);
  });

  it('every mean has an interval, or why there is none', () => {
    const missing: string[] = [];
    let means = 0;
    for (const { metrics, intervals, ...rest } of Object.values(aggregate.variants)) {
      for (const [field, { value, interval, no_interval: why }] of Object.entries(metrics))
        if (value !== null && interval === null && typeof why !== 'string') missing.push(field);
      const walk = (value: Fields, path: readonly string[]): void => {
        for (const [key, own] of Object.entries(value)) {
          const at = [...path, key].join('/');
          if (isRecord(own)) walk({ ...own }, [...path, key]);
          else if (typeof own === 'number' && /mean|rate|pct/.test(at) && !NO_MEAN.test(at)) {
            means += 1;
            const beside = isRecord(value['intervals']) && 'mean' in value['intervals'];
            if (!('ci_low' in value || beside || at in intervals)) missing.push(at);
          }
        }
      };
      walk(rest, []);
    }
    expect(missing).toEqual([]);
    expect(means).toBeGreaterThan(60);
  });

  it('intervals of means that no measure is: 10,000 resamples of the cases, seed 42, with numpy’s bits', () => {
    const prompts = cases.filter((one) => one['variant_id'] === 'V0').map((one) => Number(one['m9_prompt_ctu_total']));
    const { low, high } = bootstrap(prompts, { resamples: 10_000, level: 0.95, seed: 42, compat: 'numpy' });
    expect(aggregate.variants['V0']!.intervals['m9_usage_ctu_mean/prompt']).toEqual({ low, high, n: 5 });
    expect(aggregate).toMatchObject({ bootstrap_samples: 10_000, seed: 42 });
  });

  it('keep the earlier names, and name the metric that each is', () => {
    expect(aggregate['aliases']).toMatchObject({
      m1_update_count: 'metrics.m2_summary_count',
      m2_output_ctu: 'metrics.summary_ctu',
      m9_total_llm_ctu: 'metrics.m8_llm_ctu_total',
      m8_summary_latency_ms_mean: 'metrics.m7_summary_latency_ms',
    });
    for (const record of cases)
      for (const [field, alias] of Object.entries(aggregate['aliases'] as Record<string, string>))
        expect(record.metrics[alias.replace('metrics.', '')]!.value ?? null, field).toBe(record[field]);
  });

  it('are as assay schema prints', () => {
    const validator = (name: string) =>
      new Ajv2020({ strict: false }).compile(
        z.toJSONSchema(STREAM_OUTPUTS[name]!.schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' }),
      );
    const [ofCase, ofAll] = [validator('stream-case-metrics'), validator('stream-metrics')];
    for (const record of cases) expect(ofCase(record) || ofCase.errors).toBe(true);
    expect(ofAll(aggregate) || ofAll.errors).toBe(true);
    const { m9_decision_ctu: _, ...fewer } = cases[0]!.metrics;
    expect(ofCase({ ...cases[0], metrics: fewer })).toBe(false);
    const parsed = { ...cases[0], parsing_statistics: { included_message_chunks: 3, missing_event_subtype: 0 } };
    expect(ofCase(parsed)).toBe(true);
    expect(ofCase({ ...parsed, parsing_statistics: { included_message_chunks: 'three' } })).toBe(false);
  });
});

describe('validating metric files', () => {
  async function validate(change: (line: Fields[], all: Fields) => void, broken?: string): Promise<string[]> {
    const folder = temporaryFolder();
    cpSync(join(measures, 'per_case.metrics.jsonl'), join(folder, 'per_case.metrics.jsonl'));
    const lines = structuredClone<Fields[]>(cases);
    const all = structuredClone<Fields>(aggregate);
    change(lines, all);
    writeFileSync(join(folder, 'per_case.metrics.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    writeFileSync(join(folder, 'aggregate.metrics.json'), broken ?? `${JSON.stringify(all, null, 2)}\n`);
    const found: FileFinding[] = [];
    const { files } = await validateFiles({ paths: [folder], report: (finding) => void found.push(finding) });
    expect(files.metrics).toBe(broken === undefined ? 2 : 1);
    return found.map(
      ({ file, record, check, message }) => `${file.slice(folder.length + 1)}:${record ?? '-'} ${check} ${message}`,
    );
  }
  const lineOf = (key: string): number =>
    readFileSync(join(measures, 'aggregate.metrics.json'), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(key)) + 1;
  const metricsOf = (record: Fields): Record<string, Record<string, unknown>> =>
    record['metrics'] as Record<string, Record<string, unknown>>;
  const v0 = (all: Fields): Fields => (all['variants'] as Record<string, Fields>)['V0']!;

  it('finds nothing wrong with what measure writes', async () => {
    expect(await validate(() => undefined)).toEqual([]);
  });

  it.each<[string, (lines: Fields[], all: Fields) => void, () => RegExp | string]>([
    [
      'a metric that is gone',
      ([first]) => void delete metricsOf(first!)['m9_decision_ctu'],
      () => 'per_case.metrics.jsonl:1 schema metrics.m9_decision_ctu: expected a mapping, found nothing',
    ],
    [
      'a value that is text',
      (lines) => void (metricsOf(lines[2]!)['m4_trace_coverage']!['value'] = 'high'),
      () => 'per_case.metrics.jsonl:3 schema metrics.m4_trace_coverage.value: expected a number, found "high"',
    ],
    [
      'a count below 0',
      (lines) => void (lines[1]!['schema_failures'] = -1),
      () => 'per_case.metrics.jsonl:2 schema schema_failures: expected a number of at least 0, found -1',
    ],
    [
      'an earlier name with another value',
      ([first]) => void (first!['m1_update_count'] = 99),
      () =>
        /^per_case\.metrics\.jsonl:1 alias m1_update_count: found 99, expected \d, the value of metrics\.m2_summary_count$/,
    ],
    [
      'a case that comes twice',
      (lines) => void (lines[1] = lines[0]!),
      () => 'per_case.metrics.jsonl:2 duplicate case_id: found "case-01" of V0 again, expected it once (record 1)',
    ],
    [
      'a mean without its interval',
      (_, all) => void Object.assign(metricsOf(v0(all))['m1_compression_ratio']!, { interval: null }),
      () =>
        /^aggregate\.metrics\.json:\d+ interval variants\.V0\.metrics\.m1_compression_ratio\.interval: found null, expected an interval/,
    ],
    [
      'another number of cases',
      (_, all) => void (v0(all)['n_cases'] = 6),
      () =>
        `aggregate.metrics.json:${lineOf('"n_cases"')} count variants.V0.n_cases: found 6, expected 5, the records of per_case.metrics.jsonl`,
    ],
    [
      'a direction that is none',
      (_, all) => void (metricsOf(v0(all))['m1_compression_ratio']!['direction'] = 'up'),
      () =>
        `aggregate.metrics.json:${lineOf('"direction"')} schema variants.V0.metrics.m1_compression_ratio.direction: expected one of higher, lower, found "up"`,
    ],
  ])('%s: file, line and field', async (_, change, expected) => {
    const found = await validate(change);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected());
  });

  it('an aggregate that is cut off is told', async () => {
    const [found] = await validate(() => undefined, '{"schema_name": "exaid.metrics", ');
    expect(found).toMatch(/^aggregate\.metrics\.json:- readable not JSON: /);
  });
});
