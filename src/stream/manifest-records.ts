import { z } from 'zod';

import { caseId, SHA256 } from './trace-records.ts';

/** The records of a manifest: which traces belong together, and what they were when they were frozen. */

export const MANIFEST_SCHEMA = { name: 'assay.stream.manifest', version: '1.0.0' } as const;

const manifestMeta = z.looseObject({
  record_type: z.literal('manifest_meta'),
  schema_name: z.string().exactOptional(),
  schema_version: z.string(),
  dataset_id: z.string(),
  mas_run_id: z.string(),
  created_at: z.string().exactOptional(),
  stub_mode: z.boolean().exactOptional(),
});

export const provenance = z.looseObject({
  record_type: z.literal('provenance'),
  case_list_hash: SHA256.exactOptional().meta({ description: 'of the bytes of the case list' }),
  config_hash: SHA256.exactOptional(),
  mac_commit: z.string().nullable().exactOptional().meta({ description: 'version of the agents, as in each trace' }),
  model: z.string().exactOptional(),
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
