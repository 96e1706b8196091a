import { ParsingCounter, type ParsingStatistics } from '../parsing-statistics.ts';
import {
  type StreamDelta,
  type TraceMeta,
  type TraceRecord,
  traceRecord,
  type TurnBoundary,
} from '../trace-records.ts';
import type { Check, Findings } from './findings.ts';
import type { RawRecord } from './record-file.ts';
import { SameValue } from './same-value.ts';
import { checkedRecord } from './schema-faults.ts';
import { TimeCheck } from './time-check.ts';
import { TurnCheck } from './turn-check.ts';

export const TRACE_TYPES = ['trace_meta', 'turn_boundary', 'stream_delta'] as const;

/** What a trace turned out to hold. */
export interface TraceCounts {
  readonly caseId: string | null;
  readonly meta: TraceMeta | null;
  /** Line of its trace_meta; null where it has none. */
  readonly metaLine: number | null;
  readonly records: number;
  readonly deltas: number;
  readonly turns: number;
  readonly parsing: ParsingStatistics;
  /** False where records were lost: then the counts mean nothing. */
  readonly sure: boolean;
}

/** One trace, record by record, against its schema and against itself. */
export class TraceCheck {
  readonly #file: string;
  readonly #findings: Findings;
  readonly #turns: TurnCheck;
  readonly #times: TimeCheck;
  readonly #caseIds: SameValue;
  #meta: { readonly record: TraceMeta; readonly line: number } | null = null;
  #records = 0;
  #deltas = 0;
  #lost = 0;
  readonly #parsing = new ParsingCounter();
  #seq: { readonly value: number; readonly line: number } | null = null;

  constructor(file: string, findings: Findings) {
    this.#file = file;
    this.#findings = findings;
    const tell = (line: number | null, check: Check, message: string): void => this.#tell(line, check, message);
    this.#turns = new TurnCheck(tell);
    this.#times = new TimeCheck(tell);
    this.#caseIds = new SameValue('case_id', (line, message) => tell(line, 'case-id', message));
  }

  /** The record as its schema describes it; null where it is wrong, which has been told. */
  take({ value, line }: RawRecord): TraceRecord | null {
    const { record, faults } = checkedRecord(traceRecord, value, TRACE_TYPES);
    if (record === null) {
      for (const fault of faults) this.#tell(line, 'schema', fault);
      this.lost();
      return null;
    }
    this.#records += 1;
    if (this.#records === 1 && this.#lost === 0 && record.record_type !== 'trace_meta')
      this.#tell(line, 'order', `found ${record.record_type} as the first record, expected trace_meta`);
    if (record.case_id !== undefined) this.#caseIds.see(record.case_id, line);
    switch (record.record_type) {
      case 'trace_meta':
        this.#takeMeta(record, line);
        break;
      case 'turn_boundary':
        this.#takeBoundary(record, line);
        break;
      case 'stream_delta':
        this.#takeDelta(record, line);
        break;
    }
    return record;
  }

  /** A record that could not be read, or is none. */
  lost(): void {
    this.#records += 1;
    this.#lost += 1;
    this.#turns.lost();
  }

  end(): TraceCounts {
    this.#turns.end();
    this.#times.end();
    if (this.#lost === 0) this.#compareCounts();
    this.#findings.notice('crossed-turns', this.#turns.crossed);
    this.#findings.notice('no-content-hash', this.#turns.withoutHash);
    this.#findings.notice('no-emission-time', this.#times.withoutTime);
    if (this.#meta?.record.stub_mode === true) this.#findings.notice('stub-trace');
    return {
      caseId: this.#meta?.record.case_id ?? null,
      meta: this.#meta?.record ?? null,
      metaLine: this.#meta?.line ?? null,
      records: this.#records,
      deltas: this.#deltas,
      turns: this.#turns.turns,
      parsing: this.#parsing.statistics,
      sure: this.#lost === 0,
    };
  }

  #takeMeta(record: TraceMeta, line: number): void {
    if (this.#meta === null) {
      this.#meta = { record, line };
      this.#times.meta(record, line);
    } else this.#tell(line, 'order', `a second trace_meta, expected one, which is record ${this.#meta.line}`);
  }

  #takeBoundary(record: TurnBoundary, line: number): void {
    this.#rising(record.seq, line);
    this.#turns.boundary(record, line);
    this.#times.boundary(record, line);
  }

  #takeDelta(record: StreamDelta, line: number): void {
    this.#deltas += 1;
    this.#rising(record.seq, line);
    this.#turns.delta(record, line);
    this.#times.delta(record, line, this.#lost === 0);
    this.#parsing.add(record);
  }

  #rising(value: number, line: number): void {
    if (this.#seq !== null && value <= this.#seq.value)
      this.#tell(line, 'seq', `seq: found ${value}, expected more than ${this.#seq.value} of record ${this.#seq.line}`);
    this.#seq = { value, line };
  }

  #compareCounts(): void {
    const caseId = this.#meta?.record.case_id ?? 'without a case id';
    if (this.#records === 0) this.#tell(null, 'count', 'found no record, expected a trace');
    else if (this.#parsing.statistics.included_message_chunks === 0)
      this.#tell(
        null,
        'no-message',
        `the trace ${caseId} has no message: found ${this.#deltas} deltas, none of them part of the conversation, expected at least one with event_subtype "message", or with none and an agent who speaks`,
      );
    if (this.#meta === null) return;
    const { record, line } = this.#meta;
    const compare = (field: string, stated: number | undefined, counted: number, what: string): void => {
      if (stated !== undefined && stated !== counted)
        this.#tell(line, 'count', `${field}: found ${stated}, expected ${counted}, the number of ${what} in the trace`);
    };
    compare('total_deltas', record.total_deltas, this.#deltas, 'deltas');
    compare('total_turns', record.total_turns, this.#turns.turns, 'turns');
  }

  #tell(line: number | null, check: Check, message: string): void {
    this.#findings.add(this.#file, line, check, message);
  }
}
