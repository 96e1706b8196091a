import { dirname } from 'node:path';

import { describe, InputError, isRecord, readText } from '../../plugin.ts';
import { parseYaml } from '../../recipe.ts';
import { EARLIER_FIELDS } from '../measure/metric-names.ts';
import {
  type AggregateMetricsRecord,
  aggregateMetricsRecord,
  type CaseMetricsRecord,
  caseMetricsRecord,
  METRICS_SCHEMA,
} from '../measure/metric-records.ts';
import { type FileCheck, FileFindings, type Findings } from './findings.ts';
import { checkRecords, type Invariant, schemaFaults } from './invariant.ts';
import type { RecordReader } from './record-file.ts';

/** True for a record of a metric file of ours. The published ones, without `metrics` by our names, are left alone. */
export function isMetricsRecord(value: unknown): boolean {
  return isRecord(value) && value['schema_name'] === METRICS_SCHEMA.name && ('metrics' in value || 'aliases' in value);
}

const SUMMED = ['faithfulness_valid_event_count', 'excluded_from_faithfulness_count', 'schema_failures'] as const;

type CaseSums = Record<(typeof SUMMED)[number] | 'cases', number>;

/** What a per_case.metrics.jsonl turned out to hold. */
interface CheckedMetrics {
  readonly file: string;
  readonly sums: Map<string, CaseSums>;
  /** False if records were lost, or there is one too many: sums over the others mean nothing. */
  sure: boolean;
}

type MetricsInvariant = Invariant<CaseMetricsRecord, CheckedMetrics>;

/** One per_case.metrics.jsonl, record by record, against its schema and against itself. */
export async function checkCaseMetrics(path: string, reader: RecordReader): Promise<CheckedMetrics> {
  const metrics: CheckedMetrics = { file: path, sums: new Map(), sure: true };
  const findings = new FileFindings(path, reader.findings);
  const check = checkRecords({ schema: caseMetricsRecord }, [casesOnce, aliasesAgree], findings, metrics);
  await reader.read(path, check);
  return metrics;
}

const casesOnce: MetricsInvariant = (findings, metrics) => {
  const lines = new Map<string, number>();
  return {
    see(record, line) {
      const { case_id: id, variant_id: variant } = record;
      const key = JSON.stringify([variant, id]);
      const before = lines.get(key);
      if (before === undefined) lines.set(key, line);
      else {
        findings.again(line, 'case_id', `${describe(id)} of ${variant}`, before);
        metrics.sure = false;
      }
      const sums = metrics.sums.get(variant) ?? {
        cases: 0,
        faithfulness_valid_event_count: 0,
        excluded_from_faithfulness_count: 0,
        schema_failures: 0,
      };
      metrics.sums.set(variant, sums);
      sums.cases += 1;
      for (const field of SUMMED) sums[field] += record[field];
    },
    lost: () => void (metrics.sure = false),
  };
};

const aliasesAgree: MetricsInvariant = (findings) => ({
  see(record, line) {
    // A case that failed has no values; the counts of what it wrote are 0.
    if (record.failed !== null) return;
    for (const [field, name] of Object.entries(EARLIER_FIELDS)) {
      const value = record.metrics[name]?.value ?? null;
      if (value !== null)
        findings.compare(line, 'alias', field, record[field], value, `, the value of metrics.${name}`);
    }
  },
});

type MetricsDocument = { readonly path: string; readonly text: string; readonly value: unknown };

/** The document of a file; null if it cannot be read or is not JSON, which is reported. */
export async function readMetricsDocument(path: string, findings: Findings): Promise<MetricsDocument | null> {
  try {
    const { text } = await readText(path);
    return { path, text, value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof InputError)
      for (const { line, message } of error.problems) findings.add(path, line, 'readable', message);
    else if (error instanceof SyntaxError) findings.add(path, null, 'readable', `not JSON: ${error.message}`);
    else throw error;
    return null;
  }
}

interface AggregateFault {
  readonly path: readonly string[];
  readonly check: FileCheck;
  readonly message: string;
}

/** An aggregate.metrics.json against its schema, and against the cases next to it. */
export function checkAggregate(
  { path, text, value }: MetricsDocument,
  metrics: readonly CheckedMetrics[],
  findings: Findings,
): void {
  const { record, faults: ofSchema } = schemaFaults(aggregateMetricsRecord, value);
  const beside = metrics.filter(({ file, sure }) => sure && dirname(file) === dirname(path));
  const faults: readonly AggregateFault[] =
    record === null ? ofSchema.map((fault) => ({ ...fault, check: 'schema' })) : aggregateFaults(record, beside);
  const lineOf = faults.length === 0 ? null : linesOf(text, path);
  for (const fault of faults) findings.add(path, lineOf?.(fault.path) ?? null, fault.check, fault.message);
}

function aggregateFaults({ variants }: AggregateMetricsRecord, cases: readonly CheckedMetrics[]): AggregateFault[] {
  const faults: AggregateFault[] = [];
  for (const [variant, own] of Object.entries(variants)) {
    const add = (path: readonly string[], check: FileCheck, message: string): void => {
      const at = ['variants', variant, ...path];
      faults.push({ path: at, check, message: `${at.join('.')}: ${message}` });
    };
    for (const [field, { value, interval, no_interval: why, undefined: reason }] of Object.entries(own.metrics)) {
      const at = ['metrics', field];
      if (value === null && reason === null)
        add([...at, 'undefined'], 'interval', 'found null, expected why there is no value');
      if (value !== null && interval === null && why === null)
        add([...at, 'interval'], 'interval', 'found null, expected an interval, or the reason for null in no_interval');
      if (interval !== null && !(interval.low <= interval.high)) {
        const expected = `at most high, which is ${interval.high}`;
        add([...at, 'interval', 'low'], 'interval', `found ${interval.low}, expected ${expected}`);
      }
    }
    const sums = cases.map((file) => file.sums.get(variant)).find((some) => some !== undefined);
    if (sums === undefined) continue;
    for (const [field, expected, what] of [
      ['n_cases', sums.cases, 'the records of'] as const,
      ...SUMMED.map((summed) => [summed, sums[summed], 'the sum over'] as const),
    ])
      if (own[field] !== expected)
        add([field], 'count', `found ${own[field]}, expected ${expected}, ${what} per_case.metrics.jsonl`);
  }
  return faults;
}

/** The line of a field in a JSON text, from YAML's reader; null if that gives up. */
function linesOf(text: string, file: string): ((path: readonly string[]) => number | null) | null {
  try {
    const { lineOf } = parseYaml(text, file, 'metrics');
    return (path) => lineOf(path)?.line ?? null;
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
