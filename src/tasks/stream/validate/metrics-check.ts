import { dirname } from 'node:path';

import { InputError } from '../../../data/problems.ts';
import { readText } from '../../../data/read-file.ts';
import { describe, isRecord } from '../../../data/record-fields.ts';
import { parseYaml } from '../../../recipe/yaml-document.ts';
import { EARLIER_FIELDS, metricField } from '../measure/metric-names.ts';
import {
  type AggregateMetricsRecord,
  aggregateMetricsRecord,
  caseMetricsRecord,
  METRICS_SCHEMA,
} from '../measure/metric-records.ts';
import type { Check, Findings } from './findings.ts';
import type { RawRecord } from './record-file.ts';
import { schemaFaults } from './schema-faults.ts';

/** Whether a record is one of a metric file of ours; the published ones have another schema and are left alone. */
export function isMetricsRecord(value: unknown): boolean {
  return isRecord(value) && value['schema_name'] === METRICS_SCHEMA.name;
}

/** What the cases of a variant add up to, for comparison with its aggregate. */
type CaseSums = Record<(typeof SUMMED)[number], number>;
const SUMMED = ['faithfulness_valid_event_count', 'excluded_from_faithfulness_count', 'schema_failures'] as const;

/** One per_case.metrics.jsonl, record by record, against its schema and against itself. */
export class CaseMetricsCheck {
  readonly file: string;
  readonly #findings: Findings;
  readonly #lines = new Map<string, number>();
  readonly #variants = new Map<string, CaseSums & { cases: number }>();
  #lost = false;

  constructor(file: string, findings: Findings) {
    this.file = file;
    this.#findings = findings;
  }

  take({ value, line }: RawRecord): void {
    const { record, faults } = schemaFaults(caseMetricsRecord, value);
    if (record === null) {
      for (const fault of faults) this.#tell(line, 'schema', fault.message);
      this.lost();
      return;
    }
    const { case_id: id, variant_id: variant, failed, metrics } = record;
    const key = JSON.stringify([variant, id]);
    const before = this.#lines.get(key);
    if (before === undefined) this.#lines.set(key, line);
    else {
      const again = `found ${describe(id)} of ${variant} again, expected it once (record ${before})`;
      this.#tell(line, 'duplicate', `case_id: ${again}`);
      this.lost();
    }
    const sums = this.#variants.get(variant) ?? { cases: 0, ...emptySums() };
    this.#variants.set(variant, sums);
    sums.cases += 1;
    for (const field of SUMMED) sums[field] += record[field];
    // A case that failed has no values; the counts of what it wrote are 0.
    if (failed !== null) return;
    for (const [field, measure] of Object.entries(EARLIER_FIELDS)) {
      const own = metrics[metricField(measure)];
      if (own !== undefined && own.value !== null && record[field] !== own.value)
        this.#tell(
          line,
          'alias',
          `${field}: found ${describe(record[field])}, expected ${own.value}, the value of metrics.${metricField(measure)}`,
        );
    }
  }

  /** A record that could not be read, or is one too many: sums over the others mean nothing. */
  lost(): void {
    this.#lost = true;
  }

  /** What a variant's cases add up to; null where records were lost, or it has none. */
  sumsOf(variant: string): (CaseSums & { readonly cases: number }) | null {
    return this.#lost ? null : (this.#variants.get(variant) ?? null);
  }

  #tell(line: number, check: Check, message: string): void {
    this.#findings.add(this.file, line, check, message);
  }
}

function emptySums(): CaseSums {
  return { faithfulness_valid_event_count: 0, excluded_from_faithfulness_count: 0, schema_failures: 0 };
}

/** What a file that should be an aggregate holds. */
export type MetricsDocument = { readonly path: string; readonly text: string; readonly value: unknown };

/** The document of a file; null where it cannot be read or is no JSON, which is told. */
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

/** An aggregate.metrics.json against its schema, and against the cases beside it. */
export function checkAggregate(
  document: MetricsDocument,
  cases: readonly CaseMetricsCheck[],
  findings: Findings,
): void {
  const { path, text, value } = document;
  const { record, faults } = schemaFaults(aggregateMetricsRecord, value);
  const beside = cases.filter(({ file }) => dirname(file) === dirname(path));
  const told: readonly AggregateFault[] =
    faults === null ? aggregateFaults(record, beside) : faults.map((fault) => ({ ...fault, check: 'schema' }));
  const lineOf = told.length === 0 ? null : lines(text, path);
  for (const fault of told) findings.add(path, lineOf?.(fault.path) ?? null, fault.check, fault.message);
}

interface AggregateFault {
  readonly path: readonly string[];
  readonly check: Check;
  readonly message: string;
}

function aggregateFaults(record: AggregateMetricsRecord, cases: readonly CaseMetricsCheck[]): AggregateFault[] {
  const found: AggregateFault[] = [];
  for (const [variant, own] of Object.entries(record.variants)) {
    const add = (path: readonly string[], check: Check, message: string): void =>
      void found.push({
        path: ['variants', variant, ...path],
        check,
        message: `variants.${variant}.${path.join('.')}: ${message}`,
      });
    for (const [field, { value, interval, no_interval: why, undefined: reason }] of Object.entries(own.metrics)) {
      const at = ['metrics', field];
      if (value === null && reason === null)
        add([...at, 'undefined'], 'interval', 'found null, expected why there is no value');
      if (value !== null && interval === null && why === null)
        add([...at, 'interval'], 'interval', 'found null, expected an interval, or why there is none in no_interval');
      if (interval !== null && !(interval.low <= interval.high))
        add(
          [...at, 'interval', 'low'],
          'interval',
          `found ${interval.low}, expected at most high, which is ${interval.high}`,
        );
    }
    const [beside] = cases.flatMap((check) => check.sumsOf(variant) ?? []);
    if (beside === undefined) continue;
    if (own.n_cases !== beside.cases)
      add(
        ['n_cases'],
        'count',
        `found ${own.n_cases}, expected ${beside.cases}, the records of per_case.metrics.jsonl`,
      );
    for (const field of SUMMED)
      if (own[field] !== beside[field])
        add([field], 'count', `found ${own[field]}, expected ${beside[field]}, the sum over per_case.metrics.jsonl`);
  }
  return found;
}

/** Where a field stands in a JSON text, which YAML's reader knows; null where that gives up. */
function lines(text: string, file: string): ((path: readonly string[]) => number | null) | null {
  try {
    const { lineOf } = parseYaml(text, file, 'metrics');
    return (path) => lineOf(path)?.line ?? null;
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
