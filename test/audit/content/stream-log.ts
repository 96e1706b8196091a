import type { ConceptExtractor } from '../../../src/stream/concepts/extractor.ts';
import type { RunLog, SummaryEvent, TokengateFlush } from '../../../src/stream/run-log-records.ts';
import type { Trace } from '../../../src/stream/trace-records.ts';

const HASH = `sha256:${'0'.repeat(64)}`;

/** Every word with a capital is a concept. */
export const capitals: ConceptExtractor = {
  identity: { name: 'capitals', version: '1', settings: {}, knowledgeBase: null, stoplist: null },
  extract: (text) => Promise.resolve([...new Set(text.match(/\b[A-Z][a-z]+\b/g))].sort()),
};

/** The time of a record in milliseconds since 1970. */
export type TimeOf = (trace: Trace, endSeq: number) => number;

/** As a replay gives it: what the trace has for the delta. */
export const fromTrace: TimeOf = ({ deltas, meta }, seq) =>
  deltas.find((delta) => delta.seq === seq)?.t_emitted_ms ?? meta.t0_emitted_ms;

/** Where a trace has no time: its start and a second for each seq. */
export const fallback: TimeOf = ({ meta }, seq) => meta.t0_emitted_ms + seq * 1000;

/** A log with one summary for each window of seqs, and a flush before each. */
export function madeLog(
  trace: Trace,
  windows: readonly (readonly [start: number, end: number, text: string])[],
  timeOf: TimeOf = fromTrace,
  withFlushes = true,
): RunLog {
  const belongs = { case_id: trace.meta.case_id, variant_id: 'V0' };
  const timestamp = (seq: number): string => new Date(timeOf(trace, seq)).toISOString();
  return {
    meta: { record_type: 'run_meta', ...belongs, schema_name: 's', schema_version: '1', created_at: '', history_k: 3 },
    decisions: [],
    flushes: withFlushes
      ? windows.map(([start, end], index): TokengateFlush => ({
          record_type: 'tokengate_flush',
          ...belongs,
          flush_index: index,
          timestamp: timestamp(end),
          start_seq: start,
          end_seq: end,
          accumulated_ctu: 10,
          trigger_reason: 'boundary_cue',
        }))
      : [],
    summaries: windows.map(([start, end, text], index): SummaryEvent => ({
      record_type: 'summary_event',
      ...belongs,
      event_index: index,
      event_id: `${trace.meta.case_id}-V0-se-${index}`,
      timestamp: timestamp(end),
      start_seq: start,
      end_seq: end,
      trigger_type: 'tokengate_flush',
      summary_history_event_ids: [],
      latest_summary_event_id: null,
      new_buffer_text_hash: HASH,
      summary_content: {
        status_action: text,
        key_findings: '',
        differential_rationale: '',
        uncertainty_confidence: '',
        recommendation_next_step: '',
        agent_contributions: '',
      },
      summary_semantics_text: text,
      summary_ctu: 10,
      schema_ok: true,
      schema_error: null,
      limits_ok: true,
      failure_mode: null,
      llm_usage: { prompt_ctu: 100, completion_ctu: 10 },
      latency_ms: 1000 + index,
    })),
  };
}
