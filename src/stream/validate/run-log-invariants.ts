import { describe, sha256Of } from '../../plugin.ts';
import { ctu } from '../ctu.ts';
import { semanticsText } from '../replay/middleware.ts';
import {
  type RunLogRecord,
  runLogRecord,
  type RunMeta,
  SUMMARY_FIELDS,
  type SummaryEvent,
} from '../run-log-records.ts';
import { checkBufferTexts } from './buffer-text.ts';
import { FileFindings } from './findings.ts';
import { FlushReasons } from './flush-reasons.ts';
import type { HeldTrace } from './held-trace.ts';
import { checkRecords, inOrder, type Invariant, isSame } from './invariant.ts';
import { type LogEvent, LogEvents } from './log-events.ts';
import { placesHold } from './log-places.ts';
import { checkSequence } from './log-sequence.ts';
import type { DatasetNames } from './manifest-invariants.ts';
import type { FileDigest, RecordReader } from './record-file.ts';

export const RUN_LOG_TYPES = ['run_meta', 'tokengate_flush', 'buffer_decision', 'summary_event'] as const;

/** What a run log is compared with; all of it may be absent. */
interface LogContext {
  /** The trace it was made from. */
  readonly trace: (Pick<FileDigest, 'sha256' | 'storedSha256'> & { readonly file: string }) | null;
  /** Null if the trace is absent, damaged or too large to be held. */
  readonly held: HeldTrace | null;
  /** Of the manifests at hand. */
  readonly datasets: readonly DatasetNames[];
}

interface LogFacts extends LogContext {
  meta: RunMeta | null;
  metaLine: number | null;
  readonly events: LogEvents;
}

type LogInvariant = Invariant<RunLogRecord, LogFacts>;

/** One run log, record by record, against its schema, against itself and against its trace. */
export async function checkRunLog(path: string, context: LogContext, reader: RecordReader): Promise<void> {
  context.held?.beginLog();
  const facts: LogFacts = { ...context, meta: null, metaLine: null, events: new LogEvents() };
  const findings = new FileFindings(path, reader.findings);
  const check = checkRecords({ schema: runLogRecord, types: RUN_LOG_TYPES }, LOG_INVARIANTS, findings, facts);
  await reader.read(path, check);
  check.end();
}

/** Keeps what other invariants need; a log has records, and its run_meta has the hashes of its trace and set. */
const metaHashes: LogInvariant = (findings, facts) => {
  let isEmpty = true;
  return {
    see(record, line) {
      isEmpty = false;
      if (record.record_type !== 'run_meta') facts.events.keep(record, line);
      else if (facts.meta === null) {
        facts.meta = record;
        facts.metaLine = line;
        checkHashes(record, line, facts, findings);
      }
    },
    lost: () => void (isEmpty = false),
    end() {
      if (isEmpty) findings.add(null, 'count', 'found no record, expected a run log');
    },
  };
};

function checkHashes(meta: RunMeta, line: number, { trace, datasets }: LogFacts, findings: FileFindings): void {
  const { trace_file_hash: ofTrace, trace_dataset_hash: ofDataset } = meta;
  if (trace !== null && ofTrace !== undefined) {
    const { sha256, storedSha256, file } = trace;
    const expected = `${sha256} (or ${storedSha256} as compressed) of ${file}`;
    if (ofTrace === sha256) findings.notice('hash-of-unpacked-trace');
    else if (ofTrace === storedSha256) findings.notice('hash-of-packed-trace');
    else findings.add(line, 'trace-hash', `trace_file_hash: found ${ofTrace}, expected ${expected}`);
  }
  const isKnown = datasets.some(({ stated, unfrozen }) => stated === ofDataset || unfrozen.includes(ofDataset ?? ''));
  if (ofDataset === undefined || datasets.length === 0 || isKnown) return;
  const expected = `${datasets.map(({ stated }) => stated).join(' or ')} of the manifest`;
  findings.add(line, 'dataset-hash', `trace_dataset_hash: found ${ofDataset}, expected ${expected}`);
}

/** Events are numbered without gaps, with ids that agree, and summaries name those before them. */
const numbersHold: LogInvariant = (findings, facts) => {
  const seen = new Map<LogEvent['record_type'], { count: number; last: number }>();
  /** A record was lost: of each type, one gap has its reason. */
  const excused = new Set<LogEvent['record_type']>();
  return {
    lost() {
      for (const type of ['tokengate_flush', 'buffer_decision', 'summary_event'] as const) excused.add(type);
    },
    see(record, line) {
      if (record.record_type === 'run_meta') return;
      const type = record.record_type;
      const { field, idField } = NUMBERED[type];
      const index = Number(record[field]);
      const id = idField === null ? null : record[idField];
      const { count, last } = seen.get(type) ?? { count: 0, last: -1 };
      const fits = index === count || index === last + 1;
      const isExcused = !fits && excused.delete(type);
      if (!fits && !isExcused) findings.compare(line, 'index', field, index, count, ', without gaps from 0');
      const idAt = (number: number): string => eventId(record, number);
      if (idField !== null && id !== idAt(index) && id !== idAt(count))
        findings.compare(line, 'id', idField, id, idAt(index));
      seen.set(type, { last: index, count: isExcused ? index + 1 : count + 1 });
      if (type !== 'summary_event') return;
      // If the index is off, the id shows whether a record is missing before it, or whether only its index is wrong.
      const number = fits || isExcused || id === idAt(index) ? index : count;
      checkHistory(record, number, facts.meta?.history_k ?? null, line, findings);
    },
  };
};

/** Where each type of event has its index and its id; flushes have no id. */
const NUMBERED = {
  tokengate_flush: { field: 'flush_index', idField: null },
  buffer_decision: { field: 'decision_index', idField: 'decision_id' },
  summary_event: { field: 'event_index', idField: 'event_id' },
} as const;

/** `{case}-{variant}-se-000` */
function eventId({ record_type: type, case_id: id, variant_id: variant }: LogEvent, index: number): string {
  return `${id}-${variant}-${type === 'buffer_decision' ? 'bd' : 'se'}-${String(index).padStart(3, '0')}`;
}

function checkHistory(
  record: SummaryEvent,
  number: number,
  historyK: number | null,
  line: number,
  findings: FileFindings,
): void {
  const { latest_summary_event_id: latest, summary_history_event_ids: history } = record;
  const before = number === 0 ? null : eventId(record, number - 1);
  findings.compare(line, 'history', 'latest_summary_event_id', latest, before);
  if (historyK === null) return;
  const most = Math.max(0, Math.min(historyK, number - 1));
  const idAt = (at: number): string => eventId(record, number - 1 - most + at);
  if (history.length === most && history.every((id, at) => id === idAt(at))) return;
  const found = history.length <= 10 ? `[${history.map(describe).join(', ')}]` : `${history.length} ids`;
  const expected = Array.from({ length: Math.min(most, 10) }, (_, at) => describe(idAt(at)));
  const list = `[${expected.join(', ')}${most > 10 ? ', …' : ''}], the ${historyK} before the latest`;
  findings.add(line, 'history', `summary_history_event_ids: found ${found}, expected ${list}`);
}

/** The one failure that is about limits. */
const TOO_LONG = 'length_limit_violation';

/** A summary is as it should be, or it failed and states how; one that is too long has failed. */
function flagsFault({
  schema_ok: ok,
  limits_ok: fits,
  failure_mode: mode,
  schema_error: error,
}: SummaryEvent): string | null {
  if (ok && !fits) return 'schema_ok: found true, expected false when limits_ok is false';
  if (ok && (mode !== null || error !== null)) {
    const field = mode === null ? 'schema_error' : 'failure_mode';
    return `schema_ok: found true, expected false when ${field} is ${describe(mode ?? error)}`;
  }
  if (fits && mode === TOO_LONG) return `limits_ok: found true, expected false when failure_mode is ${TOO_LONG}`;
  if (!ok && mode === null)
    return `schema_ok: found false, expected ${fits ? 'true, or ' : ''}a failure_mode, which is null`;
  return null;
}

/** The text, units, input hash and flags of a summary agree with its content. */
const summariesHold: LogInvariant = (findings) => ({
  see(record, line) {
    if (record.record_type !== 'summary_event') return;
    const { summary_semantics_text: text, summarizer_input_text: input, summarizer_input_hash: stated } = record;
    if (text !== semanticsText(record.summary_content)) {
      const expected = `${SUMMARY_FIELDS.slice(0, -1).join(', ')} of summary_content with a space between`;
      findings.add(line, 'semantics-text', `summary_semantics_text: found ${describe(text)}, expected ${expected}`);
    }
    findings.compare(line, 'ctu', 'summary_ctu', record.summary_ctu, ctu(text), ', a quarter of the code points');
    if (stated !== undefined && input !== undefined)
      findings.compare(line, 'input-hash', 'summarizer_input_hash', stated, sha256Of(input));
    const flags = flagsFault(record);
    if (flags !== null) findings.add(line, 'flags', flags);
  },
});

/** What records led to, and the text that the trace has there. */
const eventsFollow: LogInvariant = (findings, { events, held }) => ({
  end(sure) {
    // A record that is out of its place, or whose window cannot be: what followed from what is not known.
    if (!sure || findings.has('order', 'index', 'window')) return;
    if (events.tooMany) {
      findings.notice('log-too-long');
      return;
    }
    const reasons = new FlushReasons(findings);
    reasons.checkOrder(events.flushes);
    const sequence = checkSequence(events, reasons, findings);
    if (held === null) return;
    const stretches = new Map(events.flushes.map((flush) => [flush, held.stretchOf(flush)]));
    reasons.checkLimits(stretches, held.input);
    if (sequence === null) return;
    findings.notice('buffer-not-recomputed', checkBufferTexts(events, sequence, held, stretches, findings));
  },
});

const LOG_INVARIANTS: readonly LogInvariant[] = [
  inOrder({ first: 'run_meta', order: RUN_LOG_TYPES, single: ['run_meta'] }),
  isSame('case-id', 'case_id'),
  isSame('variant-id', 'variant_id'),
  metaHashes,
  numbersHold,
  summariesHold,
  placesHold,
  eventsFollow,
];
