import { z } from 'zod';

import { caseId, SHA256 } from './trace-records.ts';

/** The records of a manifest: which traces belong together, and what they were when they were frozen. */

/** The published schema. A manifest fits it if all of its provenance is known. */
export const MANIFEST_SCHEMA = { version: '2.0.0' } as const;
export const CASE_LIST_HASH_INPUT = 'SHA256 of case_list.jsonl file bytes';
export const DATASET_HASH_DEFINITION = 'SHA256 of JSON: {mas_run_id, case_list_hash, sorted [(case_id, trace_sha256)]}';

const manifestMeta = z.looseObject({
  record_type: z.literal('manifest_meta'),
  schema_name: z.string().exactOptional(),
  schema_version: z.string(),
  dataset_id: z.string(),
  mas_run_id: z.string(),
  created_at: z.string().exactOptional().meta({ description: 'written as the latest created_at of the traces' }),
  stub_mode: z.boolean().exactOptional(),
});

export const provenance = z.looseObject({
  record_type: z.literal('provenance'),
  case_list_hash: SHA256.exactOptional().meta({ description: 'of the bytes of the case list' }),
  case_list_hash_input: z.string().exactOptional(),
  config_hash: SHA256.exactOptional(),
  mac_fork_url: z.string().exactOptional().meta({ description: 'where the code of the agents is' }),
  exaid_commit: z.string().exactOptional().meta({ description: 'what made the traces' }),
  decoding: z.looseObject({}).exactOptional().meta({ description: 'how the model was asked' }),
  mac_commit: z.string().nullable().exactOptional().meta({ description: 'version of the agents, as in each trace' }),
  model: z.string().exactOptional(),
  trace_dataset_hash_definition: z.string().exactOptional(),
  trace_dataset_hash: SHA256.exactOptional().meta({
    description:
      'of the compact JSON with sorted keys of {mas_run_id, case_list_hash, traces: sorted [case_id, sha256]}',
  }),
});

const traceEntry = z.looseObject({
  record_type: z.literal('trace_entry'),
  case_id: caseId,
  file: z.string(),
  sha256: SHA256.meta({ description: 'of the decompressed bytes' }),
  delta_count: z.int().min(0),
  turn_count: z.int().min(0),
});

const manifestSummary = z.looseObject({
  record_type: z.literal('summary'),
  total_cases: z.int().min(0),
  total_deltas: z.int().min(0),
  total_turns: z.int().min(0),
});

export const manifestRecord = z.discriminatedUnion('record_type', [
  manifestMeta,
  provenance,
  traceEntry,
  manifestSummary,
]);

export type ManifestMeta = z.infer<typeof manifestMeta>;
export type Provenance = z.infer<typeof provenance>;
export type TraceEntry = z.infer<typeof traceEntry>;
export type ManifestSummary = z.infer<typeof manifestSummary>;
export type ManifestRecord = z.infer<typeof manifestRecord>;
