import { type RunMeta, runLogRecord, type TokengateFlush } from '../run-log-records.ts';
import { checkBufferTexts } from './buffer-text-check.ts';
import type { DatasetNames } from './dataset-names.ts';
import type { Check, Findings } from './findings.ts';
import { checkLastReasons, checkReasons } from './flush-reason-check.ts';
import type { HeldTrace } from './held-trace.ts';
import { IndexCheck, type LogEvent } from './index-check.ts';
import { LogEvents } from './log-events.ts';
import type { RawRecord } from './record-file.ts';
import { SameValue } from './same-value.ts';
import { checkedRecord } from './schema-faults.ts';
import { checkSequence } from './sequence-check.ts';
import { checkSummary } from './summary-check.ts';

export const RUN_LOG_TYPES = ['run_meta', 'tokengate_flush', 'buffer_decision', 'summary_event'] as const;

/** What a run log is compared with; all of it may be absent. */
export interface LogContext {
  /** The trace it was made from. */
  readonly trace: {
    readonly file: string;
    readonly sha256: string;
    readonly storedSha256: string;
    /** Null where the trace is damaged or too large to be held. */
    readonly held: HeldTrace | null;
  } | null;
  /** Of the manifests at hand. */
  readonly datasets: readonly DatasetNames[];
}

/** One run log, record by record, against its schema, against itself and against its trace. */
export class RunLogCheck {
  readonly #file: string;
  readonly #findings: Findings;
  readonly #context: LogContext;
  readonly #indices: IndexCheck;
  readonly #caseIds: SameValue;
  readonly #variantIds: SameValue;
  #meta: { readonly record: RunMeta; readonly line: number } | null = null;
  #records = 0;
  #lost = false;
  /** A record is out of its place, or its window cannot be: what followed from what is not known. */
  #misplaced = false;
  readonly #events = new LogEvents();
  readonly #flushStarts = new Set<number>();
  readonly #flushEnds = new Set<number>();
  #timed = { trace: 0, fallback: 0, unknown: 0 };

  constructor(file: string, findings: Findings, context: LogContext) {
    this.#file = file;
    this.#findings = findings;
    this.#context = context;
    const tell = (line: number | null, check: Check, message: string): void => this.#tell(line, check, message);
    this.#indices = new IndexCheck(tell);
    this.#caseIds = new SameValue('case_id', (line, message) => tell(line, 'case-id', message));
    this.#variantIds = new SameValue('variant_id', (line, message) => tell(line, 'variant-id', message));
    context.trace?.held?.beginLog();
  }

  take({ value, line }: RawRecord): void {
    const { record, faults } = checkedRecord(runLogRecord, value, RUN_LOG_TYPES);
    if (record === null) {
      for (const fault of faults) this.#tell(line, 'schema', fault);
      this.lost();
      return;
    }
    this.#records += 1;
    if (this.#records === 1 && !this.#lost && record.record_type !== 'run_meta')
      this.#tell(line, 'order', `found ${record.record_type} as the first record, expected run_meta`);
    this.#caseIds.see(record.case_id, line);
    this.#variantIds.see(record.variant_id, line);
    if (record.record_type === 'run_meta') this.#takeMeta(record, line);
    else this.#takeEvent(record, line);
  }

  lost(): void {
    this.#records += 1;
    this.#lost = true;
    this.#indices.lost();
  }

  end(): { readonly records: number } {
    if (this.#records === 0) this.#tell(null, 'count', 'found no record, expected a run log');
    if (!this.#lost) this.#compareTimestamps();
    if (!this.#lost && !this.#misplaced) this.#compareEvents();
    this.#findings.notice('fallback-timestamp', this.#timed.fallback);
    return { records: this.#records };
  }

  #takeMeta(record: RunMeta, line: number): void {
    if (this.#meta !== null) {
      this.#tell(line, 'order', `a second run_meta, expected one, which is record ${this.#meta.line}`);
      return;
    }
    this.#meta = { record, line };
    const { trace, datasets } = this.#context;
    const { trace_file_hash: ofTrace, trace_dataset_hash: ofDataset } = record;
    if (trace !== null && ofTrace !== undefined) {
      if (ofTrace === trace.sha256) this.#findings.notice('hash-of-unpacked-trace');
      else if (ofTrace === trace.storedSha256) this.#findings.notice('hash-of-packed-trace');
      else
        this.#tell(
          line,
          'trace-hash',
          `trace_file_hash: found ${ofTrace}, expected ${trace.sha256} (or ${trace.storedSha256} as packed) of ${trace.file}`,
        );
    }
    const isKnown = datasets.some(({ stated, unfrozen }) => stated === ofDataset || unfrozen.includes(ofDataset ?? ''));
    if (ofDataset !== undefined && datasets.length > 0 && !isKnown)
      this.#tell(
        line,
        'dataset-hash',
        `trace_dataset_hash: found ${ofDataset}, expected ${datasets.map(({ stated }) => stated).join(' or ')} of the manifest`,
      );
  }

  #takeEvent(record: LogEvent, line: number): void {
    const number = this.#indices.see(record, line);
    this.#events.keep(record, line);
    const isInside = this.#checkWindow(record, line);
    if (isInside) this.#checkTimestamp(record, line);
    else this.#timed.unknown += 1;
    if (record.record_type === 'summary_event')
      checkSummary(record, number, this.#meta?.record.history_k ?? null, line, (at, check, message) =>
        this.#tell(at, check, message),
      );
    if (record.record_type !== 'tokengate_flush') return;
    this.#flushStarts.add(record.start_seq);
    this.#flushEnds.add(record.end_seq);
    if (isInside) this.#checkFlush(record, line);
  }

  /**
   * The window of a decision or summary runs from the start of the first flush since the last summary to the end of
   * this flush: after silence, that may be what an agent said long before.
   */
  #checkWindow({ record_type: type, start_seq: start, end_seq: end }: LogEvent, line: number): boolean {
    if (start > end) {
      const isLate = type !== 'tokengate_flush' && this.#flushStarts.has(start) && this.#flushEnds.has(end);
      if (isLate) this.#findings.notice('reversed-window');
      else {
        this.#tell(line, 'window', `start_seq: found ${start}, expected at most end_seq ${end}`);
        return false;
      }
    }
    const held = this.#context.trace?.held ?? null;
    if (held === null) return true;
    let isInside = true;
    for (const [field, seq] of [
      ['start_seq', start],
      ['end_seq', end],
    ] as const) {
      if (held.has(seq)) continue;
      isInside = false;
      this.#tell(line, 'window', `${field}: found ${seq}, expected a seq of the trace, which has ${held.range}`);
    }
    return isInside;
  }

  #checkTimestamp({ timestamp, end_seq: end }: LogEvent, line: number): void {
    const held = this.#context.trace?.held ?? null;
    if (held === null) return;
    const given = Date.parse(timestamp);
    const { emitted, fallback } = held.times(end);
    if (given === emitted) this.#timed.trace += 1;
    else if (fallback.includes(given)) this.#timed.fallback += 1;
    else {
      this.#timed.unknown += 1;
      const expected = new Date(emitted ?? fallback[0]!).toISOString();
      this.#tell(
        line,
        'timestamp',
        `timestamp: found ${timestamp}, expected ${expected} ${emitted === null ? '(the start of the trace and a second for each seq)' : `(t_emitted_ms at end_seq ${end})`}`,
      );
    }
  }

  #checkFlush(record: TokengateFlush, line: number): void {
    const held = this.#context.trace?.held ?? null;
    if (held === null) return;
    const texts = held.flushTexts(record.start_seq, record.end_seq);
    if (texts.length === 0) this.#findings.notice('flush-not-recomputed');
    const { text_hash: given, accumulated_ctu: units } = record;
    if (texts.length === 0 || texts.some((text) => text.ctu === units && (given === undefined || text.hash === given)))
      return;
    const expected = texts.find(({ hash }) => hash === given) ?? texts[0]!;
    if (given !== undefined && given !== expected.hash)
      this.#tell(line, 'flush-text', `text_hash: found ${given}, expected ${expected.hash} for the agent’s deltas`);
    if (units !== expected.ctu)
      this.#tell(line, 'ctu', `accumulated_ctu: found ${units}, expected ${expected.ctu} for the agent’s deltas`);
  }

  /** What records led to, and the text that the trace has there. */
  #compareEvents(): void {
    const events = this.#events;
    if (events.tooMany) {
      this.#findings.notice('log-too-long');
      return;
    }
    const told = new Set<number | null>();
    const tell = (line: number | null, check: Check, message: string): void => {
      // One reason can be wrong in several ways: once is enough.
      if (check === 'flush-reason' && told.has(line)) return;
      if (check === 'flush-reason') told.add(line);
      this.#tell(line, check, message);
    };
    checkLastReasons(events.flushes, tell);
    const sequence = checkSequence(events, tell);
    const held = this.#context.trace?.held ?? null;
    if (held === null) return;
    const stretches = new Map(events.flushes.map((flush) => [flush, held.content.ofFlush(flush)]));
    checkReasons(stretches, held.content, told, tell);
    if (sequence === null) return;
    this.#findings.notice('buffer-not-recomputed', checkBufferTexts(events, sequence, held, stretches, tell));
  }

  #compareTimestamps(): void {
    const stated = this.#meta?.record.timestamp_derivation;
    if (this.#meta === null || stated === undefined || this.#timed.unknown > 0) return;
    if (this.#context.trace === null || this.#context.trace.held === null) return;
    const { line } = this.#meta;
    for (const [field, counted] of [
      ['derived_from_t_emitted', this.#timed.trace],
      ['derived_from_fallback', this.#timed.fallback],
      ['missing_t_emitted_ms_count', this.#timed.fallback],
    ] as const) {
      const found = stated[field];
      if (found !== undefined && found !== counted)
        this.#tell(line, 'count', `timestamp_derivation.${field}: found ${found}, expected ${counted} as counted`);
    }
  }

  #tell(line: number | null, check: Check, message: string): void {
    if (check === 'order' || check === 'index' || check === 'window') this.#misplaced = true;
    this.#findings.add(this.#file, line, check, message);
  }
}
