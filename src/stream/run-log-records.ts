import { z } from 'zod';

import { SHA256 } from './trace-records.ts';

/** The records of a run log: what a variant of the middleware did with one trace. In this order, each by its index. */

/** The published schema: every record that is written fits it, if cases are called case-… and runs mas_…. */
export const RUN_LOG_SCHEMA = { name: 'exaid.run', version: '1.5.0' } as const;

export const timestamp = z.iso
  .datetime({ offset: true, error: 'expected a time such as 2000-01-31T12:00:00.000Z' })
  .meta({ description: 'from the trace, never from a clock' });
const index = z.int().min(0);
const seq = z.int().min(0);
const units = z.int().min(0).meta({ description: 'ceil(code points / 4)' });

const usage = z.looseObject({
  prompt_ctu: units.exactOptional(),
  completion_ctu: units.exactOptional(),
  provider_prompt_tokens: z.int().min(0).nullable().exactOptional(),
  provider_completion_tokens: z.int().min(0).nullable().exactOptional(),
  model_id: z.string().exactOptional(),
});

const latency = z.int().min(0).exactOptional().meta({ description: 'absent: not measured' });
const belongs = { case_id: z.string(), variant_id: z.string() };

export const runMeta = z.looseObject({
  record_type: z.literal('run_meta'),
  ...belongs,
  schema_name: z.string(),
  schema_version: z.string(),
  created_at: z.string().meta({ description: 'the start of the trace, not of the run' }),
  history_k: z.int().min(0),
  trigger_policy: z.string().exactOptional(),
  trace_file_hash: SHA256.exactOptional(),
  trace_dataset_hash: SHA256.exactOptional(),
  tokengate_config_hash: SHA256.exactOptional(),
  timestamp_derivation: z
    .looseObject({
      derived_from_t_emitted: z.int().min(0).exactOptional(),
      derived_from_fallback: z.int().min(0).exactOptional(),
      missing_t_emitted_ms_count: z.int().min(0).exactOptional(),
    })
    .exactOptional(),
  model: z
    .looseObject({
      id: z.string(),
      kind: z.enum(['recorded', 'heuristic', 'provider']),
      note: z.string().exactOptional(),
    })
    .exactOptional()
    .meta({ description: 'what answered; a heuristic is marked as one' }),
  concept_extractor: z
    .looseObject({ linker_kb_version: z.string().nullable().exactOptional() })
    .exactOptional()
    .meta({ description: 'what is to find concepts when the log is measured; none if it is not used' }),
  stoplists_provenance: z
    .looseObject({ stop_cuis_hash: SHA256.exactOptional(), stop_entities_hash: SHA256.exactOptional() })
    .exactOptional()
    .meta({ description: 'hashes of the stoplists, of an empty text if there are none' }),
});

const FLUSH_REASONS = [
  'boundary_cue',
  'max_words',
  'silence_timer',
  'max_wait_timeout',
  'end_of_trace',
  'turn_end',
] as const;
export type FlushReason = (typeof FLUSH_REASONS)[number];

const tokengateFlush = z.looseObject({
  record_type: z.literal('tokengate_flush'),
  ...belongs,
  flush_index: index,
  timestamp,
  start_seq: seq,
  end_seq: seq,
  accumulated_ctu: units,
  trigger_reason: z.enum(FLUSH_REASONS),
  text_hash: SHA256.exactOptional(),
});

const bufferDecision = z.looseObject({
  record_type: z.literal('buffer_decision'),
  ...belongs,
  decision_index: index,
  decision_id: z.string(),
  timestamp,
  start_seq: seq,
  end_seq: seq,
  input_ctu: units,
  decision: z.enum(['summarize', 'buffer', 'discard']),
  filter_results: z.looseObject({
    // Absent if the call failed; logs of others have null there, which the published schema does not allow.
    completeness_passed: z.boolean().nullable().exactOptional(),
    value_passed: z.boolean().nullable().exactOptional(),
    novelty_passed: z.boolean().nullable().exactOptional(),
  }),
  llm_usage: usage,
  latency_ms: latency,
  trigger_reason: z.string().exactOptional().meta({ description: 'what called for the decision, such as fixed_ctu' }),
  error: z
    .string()
    .nullable()
    .exactOptional()
    .meta({ description: 'why the call failed; the text stayed in the buffer' }),
});

export const SUMMARY_FIELDS = [
  'status_action',
  'key_findings',
  'differential_rationale',
  'uncertainty_confidence',
  'recommendation_next_step',
  'agent_contributions',
] as const;
export type SummaryField = (typeof SUMMARY_FIELDS)[number];
/** In code points. */
export type SummaryLimits = Readonly<Record<SummaryField, number>>;

const summaryContent = z.looseObject({
  status_action: z.string(),
  key_findings: z.string(),
  differential_rationale: z.string(),
  uncertainty_confidence: z.string(),
  recommendation_next_step: z.string(),
  agent_contributions: z.string(),
} satisfies Record<SummaryField, z.ZodType>);
export type SummaryContent = Readonly<Record<SummaryField, string>>;

const summaryEvent = z.looseObject({
  record_type: z.literal('summary_event'),
  ...belongs,
  event_index: index,
  event_id: z.string(),
  timestamp,
  start_seq: seq,
  end_seq: seq,
  trigger_type: z.enum(['turn_end', 'tokengate_flush', 'buffer_agent']),
  summary_history_event_ids: z.array(z.string()),
  latest_summary_event_id: z.string().nullable(),
  new_buffer_text_hash: SHA256,
  summarizer_input_hash: SHA256.exactOptional(),
  summarizer_input_text: z.string().exactOptional(),
  summary_content: summaryContent,
  summary_semantics_text: z.string(),
  summary_ctu: units,
  schema_ok: z.boolean(),
  schema_error: z.string().nullable(),
  limits_ok: z.boolean(),
  failure_mode: z.string().nullable(),
  llm_usage: usage,
  latency_ms: latency,
});

export const runLogRecord = z.discriminatedUnion('record_type', [
  runMeta,
  tokengateFlush,
  bufferDecision,
  summaryEvent,
]);

export type RunMeta = z.infer<typeof runMeta>;
export type TokengateFlush = z.infer<typeof tokengateFlush>;
export type BufferDecision = z.infer<typeof bufferDecision>;
export type SummaryEvent = z.infer<typeof summaryEvent>;
export type RunLogRecord = z.infer<typeof runLogRecord>;

export interface RunLog {
  readonly meta: RunMeta;
  readonly flushes: readonly TokengateFlush[];
  readonly decisions: readonly BufferDecision[];
  readonly summaries: readonly SummaryEvent[];
}
