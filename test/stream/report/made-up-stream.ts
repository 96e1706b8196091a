const HASH = `sha256:${'0'.repeat(64)}`;
const T0 = 1_700_000_000_000;

function lines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Two agents, three deltas, four seconds. The seqs 4 and 5 are nobody's. */
export const TRACE = lines([
  { record_type: 'trace_meta', case_id: 'a', t0_emitted_ms: T0 },
  { record_type: 'turn_boundary', boundary: 'start', turn_id: 1, agent_id: 'doctor', seq: 0, t_ms: T0 - 100 },
  { record_type: 'stream_delta', seq: 1, turn_id: 1, agent_id: 'doctor', delta_text: 'abcd', t_rel_ms: 0 },
  { record_type: 'stream_delta', seq: 2, turn_id: 1, agent_id: 'doctor', delta_text: '🙂.', t_rel_ms: 1500 },
  { record_type: 'turn_boundary', boundary: 'end', turn_id: 1, agent_id: 'doctor', seq: 3, t_ms: T0 + 2000 },
  { record_type: 'turn_boundary', boundary: 'start', turn_id: 2, agent_id: 'nurse', seq: 6, t_ms: T0 + 2500 },
  { record_type: 'stream_delta', seq: 7, turn_id: 2, agent_id: 'nurse', delta_text: 'abcdefgh', t_rel_ms: 4000 },
]);

const belongs = { case_id: 'a.trace', variant_id: 'V0' };
const timestamp = '2023-11-14T22:13:20.000Z';
const passed = { completeness_passed: true, value_passed: true, novelty_passed: true };
const silent = { completeness_passed: null, value_passed: null, novelty_passed: null };

/** What a variant made of it: two flushes, two decisions of which one failed, a summary that broke its schema. */
export const LOG = lines([
  {
    record_type: 'run_meta',
    ...belongs,
    schema_name: 'assay.stream.run',
    schema_version: '1.0.0',
    created_at: timestamp,
    history_k: 3,
  },
  ...[
    { start_seq: 1, end_seq: 2, trigger_reason: 'boundary_cue' },
    { start_seq: 3, end_seq: 4, trigger_reason: 'silence_timer' },
  ].map((flush, flush_index) => ({
    record_type: 'tokengate_flush',
    ...belongs,
    flush_index,
    timestamp,
    accumulated_ctu: 2,
    ...flush,
  })),
  ...[
    { start_seq: 1, end_seq: 2, decision: 'summarize', filter_results: passed },
    { start_seq: 3, end_seq: 7, decision: 'buffer', filter_results: silent, error: 'no answer' },
  ].map((decision, decision_index) => ({
    record_type: 'buffer_decision',
    ...belongs,
    decision_index,
    decision_id: `a-V0-bd-00${decision_index}`,
    timestamp,
    input_ctu: 2,
    llm_usage: {},
    ...decision,
  })),
  {
    record_type: 'summary_event',
    ...belongs,
    event_index: 0,
    event_id: 'a-V0-se-000',
    timestamp,
    start_seq: 1,
    end_seq: 2,
    trigger_type: 'buffer_agent',
    summary_history_event_ids: [],
    latest_summary_event_id: null,
    new_buffer_text_hash: HASH,
    summary_content: {
      status_action: '',
      key_findings: '',
      differential_rationale: '',
      uncertainty_confidence: '',
      recommendation_next_step: '',
      agent_contributions: '',
    },
    summary_semantics_text: '',
    summary_ctu: 0,
    schema_ok: false,
    schema_error: 'not JSON',
    limits_ok: true,
    failure_mode: 'schema_validation_error',
    llm_usage: {},
  },
]);
