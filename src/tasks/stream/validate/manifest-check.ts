import { describe } from '../../../data/record-fields.ts';
import {
  type ManifestMeta,
  manifestRecord,
  type ManifestSummary,
  type Provenance,
  type TraceEntry,
} from '../manifest-records.ts';
import { datasetHash } from '../dataset-hash.ts';
import type { Check, Findings } from './findings.ts';
import type { RawRecord } from './record-file.ts';
import { checkedRecord } from './schema-faults.ts';

export const MANIFEST_TYPES = ['manifest_meta', 'provenance', 'trace_entry', 'summary'] as const;

/** A record with its line. */
export interface Placed<T> {
  readonly record: T;
  readonly line: number;
}

/** What a manifest turned out to hold. */
export interface CheckedManifest {
  readonly file: string;
  readonly meta: ManifestMeta | null;
  readonly provenance: Placed<Provenance> | null;
  readonly entries: readonly Placed<TraceEntry>[];
  readonly summary: Placed<ManifestSummary> | null;
  /** False where records were lost: then there may be entries that are not known. */
  readonly sure: boolean;
}

/** One manifest, record by record, against its schema and against itself. */
export class ManifestCheck {
  readonly #file: string;
  readonly #findings: Findings;
  readonly #entries: Placed<TraceEntry>[] = [];
  readonly #cases = new Map<string, number>();
  readonly #files = new Map<string, number>();
  #meta: Placed<ManifestMeta> | null = null;
  #provenance: Placed<Provenance> | null = null;
  #summary: Placed<ManifestSummary> | null = null;
  #latest = -1;
  #lost = false;

  constructor(file: string, findings: Findings) {
    this.#file = file;
    this.#findings = findings;
  }

  take({ value, line }: RawRecord): void {
    const { record, faults } = checkedRecord(manifestRecord, value, MANIFEST_TYPES);
    if (record === null) {
      for (const fault of faults) this.#tell(line, 'schema', fault);
      this.lost();
      return;
    }
    this.#inOrder(record.record_type, line);
    switch (record.record_type) {
      case 'manifest_meta':
        this.#meta ??= { record, line };
        break;
      case 'provenance':
        this.#provenance ??= { record, line };
        break;
      case 'trace_entry':
        this.#entries.push({ record, line });
        this.#once(this.#cases, record.case_id, 'case_id', line);
        this.#once(this.#files, record.file, 'file', line);
        break;
      case 'summary':
        this.#summary ??= { record, line };
        break;
    }
  }

  /** A record that could not be read, or is none. */
  lost(): void {
    this.#lost = true;
  }

  end(): CheckedManifest {
    if (!this.#lost) {
      for (const [type, found] of [
        ['manifest_meta', this.#meta],
        ['provenance', this.#provenance],
        ['summary', this.#summary],
      ] as const)
        if (found === null) this.#tell(null, 'order', `found no record ${type}, expected one`);
      this.#compareSums();
      this.#compareHash();
    }
    return {
      file: this.#file,
      meta: this.#meta?.record ?? null,
      provenance: this.#provenance,
      entries: this.#entries,
      summary: this.#summary,
      sure: !this.#lost,
    };
  }

  #inOrder(type: (typeof MANIFEST_TYPES)[number], line: number): void {
    const rank = MANIFEST_TYPES.indexOf(type);
    const isRepeated = type !== 'trace_entry' && rank === this.#latest;
    if (rank < this.#latest || isRepeated)
      this.#tell(
        line,
        'order',
        isRepeated
          ? `a second ${type}, expected one`
          : `found ${type} after ${MANIFEST_TYPES[this.#latest] ?? ''}, expected the order ${MANIFEST_TYPES.join(', ')}`,
      );
    this.#latest = rank;
  }

  #once(seen: Map<string, number>, value: string, field: string, line: number): void {
    const before = seen.get(value);
    if (before === undefined) seen.set(value, line);
    else this.#tell(line, 'duplicate', `${field}: found ${describe(value)} again, expected it once (record ${before})`);
  }

  #compareSums(): void {
    if (this.#summary === null) return;
    const { record, line } = this.#summary;
    const sum = (of: (entry: TraceEntry) => number): number =>
      this.#entries.reduce((total, entry) => total + of(entry.record), 0);
    const failed = typeof record['failed_cases'] === 'number' ? record['failed_cases'] : 0;
    const compare = (field: string, found: unknown, expected: number, what: string): void => {
      if (found !== undefined && found !== expected)
        this.#tell(line, 'count', `${field}: found ${describe(found)}, expected ${expected}, ${what}`);
    };
    const plus = failed === 0 ? '' : ` and ${failed} failed`;
    compare('total_cases', record.total_cases, this.#entries.length + failed, `the number of entries${plus}`);
    compare('successful_cases', record['successful_cases'], this.#entries.length, 'the number of entries');
    compare(
      'total_deltas',
      record.total_deltas,
      sum((entry) => entry.delta_count),
      'the sum of delta_count',
    );
    compare(
      'total_turns',
      record.total_turns,
      sum((entry) => entry.turn_count),
      'the sum of turn_count',
    );
  }

  #compareHash(): void {
    const stated = this.#provenance?.record.trace_dataset_hash;
    if (this.#meta === null || this.#provenance === null || stated === undefined) return;
    const expected = datasetHash({
      masRunId: this.#meta.record.mas_run_id,
      caseListHash: this.#provenance.record.case_list_hash ?? null,
      traces: this.#entries.map(({ record }) => [record.case_id, record.sha256]),
    });
    if (stated !== expected)
      this.#tell(
        this.#provenance.line,
        'dataset-hash',
        `trace_dataset_hash: found ${stated}, expected ${expected} of mas_run_id, case_list_hash and the entries`,
      );
  }

  #tell(line: number | null, check: Check, message: string): void {
    this.#findings.add(this.#file, line, check, message);
  }
}
