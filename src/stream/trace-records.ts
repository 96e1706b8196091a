import { z } from 'zod';

/** The records of a trace: a recorded conversation, delta by delta. Further fields are welcome and kept. */

/**
 * The published schema. A trace fits it if its run (mas_…), commit and model are known, its case is called case-…, and no
 * event has a subtype, for which that schema has no field.
 */
export const TRACE_SCHEMA = { version: '2.0.0' } as const;
export const T0_DEFINITION = 't_emitted_ms of first stream_delta record';
export const CONTENT_HASH_INPUT = 'UTF-8 bytes of concatenated delta_text in seq order for this turn';

/** What the times of a trace are: given with the events, taken as they arrived, or made up, a fixed gap apart. */
export const CLOCKS = ['given', 'arrival', 'virtual'] as const;
export type ClockKind = (typeof CLOCKS)[number];

export const SHA256 = z
  .string()
  .regex(/^sha256:[a-f0-9]{64}$/, 'expected sha256: and 64 hexadecimal digits')
  .meta({ description: 'sha256: and 64 hexadecimal digits' });

/** Names files, so it must not lead out of a folder. */
export const caseId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'expected letters, digits, full stops, hyphens and underscores')
  .meta({ description: 'letters, digits, full stop, hyphen, underscore' });

/** A commit of git in full, such as that of the agents that spoke. */
export const commitHash = z.string().regex(/^[0-9a-f]{40}$/, 'expected the 40 hexadecimal digits of a commit');

const moment = z.int().meta({ description: 'milliseconds since 1970 (UTC)' });

/** Facts for which the published schema has no field, in the one part of it that is open. */
const unpublishedFacts = z.looseObject({
  clock: z.enum(CLOCKS).exactOptional().meta({ description: 'what the times are; absent: those of the events' }),
  lines_left_out: z.int().min(1).exactOptional().meta({ description: 'events that could not be read while recording' }),
  case_text_hash: SHA256.exactOptional().meta({ description: 'of the case that agents discussed' }),
  note: z.string().exactOptional().meta({ description: 'what a reader should know of the agents' }),
});
export type UnpublishedFacts = z.infer<typeof unpublishedFacts>;

const traceMeta = z.looseObject({
  record_type: z.literal('trace_meta'),
  case_id: caseId,
  t0_emitted_ms: moment.min(0).meta({ description: 't_emitted_ms of the first delta, from which t_rel_ms counts' }),
  total_deltas: z.int().min(0).exactOptional(),
  total_turns: z.int().min(0).exactOptional(),
  schema_name: z.string().exactOptional(),
  schema_version: z.string().exactOptional(),
  mas_run_id: z.string().exactOptional().meta({ description: 'what produced the conversation' }),
  mac_commit: z.string().nullable().exactOptional().meta({ description: 'version of the agents that spoke' }),
  model: z.string().exactOptional(),
  created_at: z.string().exactOptional().meta({ description: 'written as the time of the first delta' }),
  t0_definition: z.string().exactOptional(),
  decoding: z
    .looseObject({ assay: unpublishedFacts.exactOptional() })
    .exactOptional()
    .meta({ description: 'how the model was asked; in assay, what the published schema has no field for' }),
  stub_mode: z.boolean().exactOptional().meta({ description: 'true: not a real conversation; it is not evaluated' }),
});

const turnBoundary = z.looseObject({
  record_type: z.literal('turn_boundary'),
  case_id: caseId.exactOptional(),
  boundary: z.enum(['start', 'end']),
  turn_id: z.int().min(0),
  agent_id: z.string(),
  seq: z.int().min(0).meta({ description: 'place among all deltas and boundaries, rising' }),
  t_ms: moment.min(0),
  t_rel_ms: z.int().exactOptional().meta({ description: 't_ms - t0; negative before the first delta' }),
  content_hash: SHA256.exactOptional().meta({
    description: 'of the turn’s deltas, one after the other, as UTF-8; at its end',
  }),
  content_hash_input: z.string().exactOptional(),
});

const streamDelta = z.looseObject({
  record_type: z.literal('stream_delta'),
  case_id: caseId.exactOptional(),
  seq: z.int().min(0),
  turn_id: z.int().min(0),
  agent_id: z.string(),
  delta_text: z.string(),
  t_emitted_ms: moment.min(0).nullable().exactOptional(),
  t_rel_ms: z.int().min(0),
  event_subtype: z.string().exactOptional().meta({ description: 'message, orchestrator_summary, system_note, …' }),
});

export const traceRecord = z.discriminatedUnion('record_type', [traceMeta, turnBoundary, streamDelta]);

export type TraceMeta = z.infer<typeof traceMeta>;
export type TurnBoundary = z.infer<typeof turnBoundary>;
export type StreamDelta = z.infer<typeof streamDelta>;
export type TraceLine = z.infer<typeof traceRecord>;

/** A trace as it was read. */
export interface Trace {
  readonly file: string;
  readonly meta: TraceMeta;
  /** By seq. */
  readonly deltas: readonly StreamDelta[];
  /** By seq. */
  readonly boundaries: readonly TurnBoundary[];
  /** `sha256:…` of the decompressed bytes. */
  readonly sha256: string;
}
