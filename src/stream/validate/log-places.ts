import { sha256Of } from '../../plugin.ts';
import { ctu } from '../ctu.ts';
import type { RunLogRecord, RunMeta, TokengateFlush } from '../run-log-records.ts';
import type { FileFindings } from './findings.ts';
import type { HeldTrace } from './held-trace.ts';
import type { Invariant } from './invariant.ts';
import type { LogEvent } from './log-events.ts';

/** What has been read of a log so far, and the trace that it was made from. */
interface PlaceFacts {
  readonly meta: RunMeta | null;
  readonly metaLine: number | null;
  readonly held: HeldTrace | null;
}

/** A window is in the trace, and the time of its event and the text of its flush are those that the trace has there. */
export const placesHold: Invariant<RunLogRecord, PlaceFacts> = (findings, facts) => {
  const { held } = facts;
  const flushStarts = new Set<number>();
  const flushEnds = new Set<number>();
  const timed = { trace: 0, fallback: 0, unknown: 0 };

  /**
   * The window of a decision or summary runs from the start of the first flush since the last summary to the end of this
   * flush: after silence, that may be what an agent said long before.
   */
  const isInTrace = ({ record_type: type, start_seq: start, end_seq: end }: LogEvent, line: number): boolean => {
    if (start > end) {
      if (type === 'tokengate_flush' || !flushStarts.has(start) || !flushEnds.has(end)) {
        findings.add(line, 'window', `start_seq: found ${start}, expected at most end_seq ${end}`);
        return false;
      }
      findings.notice('reversed-window');
    }
    if (held === null) return true;
    const outside = Object.entries({ start_seq: start, end_seq: end }).filter(([, seq]) => !held.has(seq));
    for (const [field, seq] of outside)
      findings.add(line, 'window', `${field}: found ${seq}, expected a seq of the trace, which has ${held.range}`);
    return outside.length === 0;
  };
  return {
    see(record, line) {
      if (record.record_type === 'run_meta') return;
      const isInside = isInTrace(record, line);
      if (record.record_type === 'tokengate_flush') {
        flushStarts.add(record.start_seq);
        flushEnds.add(record.end_seq);
      }
      timed[isInside && held !== null ? timeSource(record, line, held, findings) : 'unknown'] += 1;
      if (isInside && held !== null && record.record_type === 'tokengate_flush')
        checkFlushText(record, line, held, findings);
    },
    end(sure) {
      findings.notice('fallback-timestamp', timed.fallback);
      const stated = facts.meta?.timestamp_derivation;
      if (!sure || stated === undefined || held === null || timed.unknown > 0) return;
      for (const [field, counted] of [
        ['derived_from_t_emitted', timed.trace],
        ['derived_from_fallback', timed.fallback],
        ['missing_t_emitted_ms_count', timed.fallback],
      ] as const) {
        const name = `timestamp_derivation.${field}`;
        if (stated[field] !== undefined)
          findings.compare(facts.metaLine, 'count', name, stated[field], counted, ' as counted');
      }
    },
  };
};

function timeSource(
  { timestamp, end_seq: end }: LogEvent,
  line: number,
  held: HeldTrace,
  findings: FileFindings,
): 'trace' | 'fallback' | 'unknown' {
  const ms = Date.parse(timestamp);
  const { emitted, fallback } = held.times(end);
  if (ms === emitted) return 'trace';
  if (fallback.includes(ms)) return 'fallback';
  const expected = new Date(emitted ?? fallback[0]!).toISOString();
  const why = emitted === null ? 'the start of the trace and a second for each seq' : `t_emitted_ms at end_seq ${end}`;
  findings.compare(line, 'timestamp', 'timestamp', timestamp, expected, ` (${why})`);
  return 'unknown';
}

function checkFlushText(record: TokengateFlush, line: number, held: HeldTrace, findings: FileFindings): void {
  const { text_hash: stated, accumulated_ctu: units } = record;
  const texts = held
    .flushTexts(record.start_seq, record.end_seq)
    .map((text) => ({ hash: sha256Of(text), units: ctu(text) }));
  if (texts.length === 0) findings.notice('flush-not-recomputed');
  const expected = texts.find(({ hash }) => hash === stated) ?? texts[0];
  const isRight = texts.some((text) => text.units === units && (stated === undefined || text.hash === stated));
  if (expected === undefined || isRight) return;
  const own = ' for the agent’s deltas';
  if (stated !== undefined) findings.compare(line, 'flush-text', 'text_hash', stated, expected.hash, own);
  findings.compare(line, 'ctu', 'accumulated_ctu', units, expected.units, own);
}
