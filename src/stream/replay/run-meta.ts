import { isRecord, sha256Of, sortedJson } from '../../plugin.ts';
import type { ManifestDifferences } from '../dataset-hash.ts';
import { RUN_LOG_SCHEMA, type RunMeta } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';
import type { StreamModel } from './model.ts';
import type { ReadVariant } from './read-variant.ts';
import type { TimestampCounts } from './trace-clock.ts';

/** What a whole replay has in common; it is in every log. */
export interface ReplaySetting {
  readonly model: Pick<StreamModel, 'id' | 'kind' | 'note'>;
  /** What of the asking changes the answers: the wording, a temperature. */
  readonly asked?: Readonly<Record<string, unknown>>;
  /** Of the traces that belong together. */
  readonly datasetHash: string;
  /** The concept extractor and stoplists that the log is to be measured by; see conceptProvenance. */
  readonly provenance: Readonly<Record<string, unknown>>;
  /** How the traces differ from their manifest, if the replay was forced; else null. */
  readonly differences?: ManifestDifferences | null;
}

/** Recorded answers to a case: what they are, and which model gave them if the recording states it. */
interface RecordedAnswers {
  readonly hash: string;
  readonly by: string | null;
}

export type AnswersOf = (caseId: string, variant: string) => Promise<RecordedAnswers | null>;

/**
 * The first record of a run log. All but the counts is known before the replay: a log that begins with the same is the
 * log of the same run, so a replay that was cut off resumes behind it.
 */
export function runMetaOf(
  trace: Trace,
  caseId: string,
  variant: ReadVariant,
  setting: ReplaySetting,
  answers: RecordedAnswers | null,
  timestamps: TimestampCounts,
): RunMeta {
  const { model, asked = {}, datasetHash, provenance, differences = null } = setting;
  const note = answers?.by ?? model.note;
  const configHash = sha256Of(sortedJson(variant.resolved));
  const createdAt = new Date(trace.meta.t0_emitted_ms).toISOString();
  const stoplists = provenance['stoplists_provenance'];
  const hex = (hash: string): string => hash.slice('sha256:'.length, 'sha256:'.length + 8);
  return {
    record_type: 'run_meta',
    schema_name: RUN_LOG_SCHEMA.name,
    schema_version: RUN_LOG_SCHEMA.version,
    case_id: caseId,
    variant_id: variant.id,
    variant_name: variant.name,
    trigger_policy: variant.policy,
    created_at: createdAt,
    history_k: variant.historyK,
    ...(variant.resolved.summarizer.max_characters === undefined ? {} : { summary_limits: variant.limits }),
    mas_run_id: trace.meta.mas_run_id ?? 'mas_not_stated',
    eval_run_id: `eval-${hex(datasetHash)}-${hex(sha256Of(sortedJson({ configHash, model: model.id, asked })))}`,
    trace_file_hash: trace.sha256,
    trace_dataset_hash: datasetHash,
    variant_config_hash: configHash,
    tokengate_config_hash: sha256Of(sortedJson(variant.resolved.components.token_gate)),
    model: { id: model.id, kind: model.kind, ...(note === null ? {} : { note }), ...asked },
    ...(answers === null ? {} : { recorded_answers_hash: answers.hash }),
    ...provenance,
    // The published schema wants a time; lists without one have that of the log.
    ...(isRecord(stoplists) ? { stoplists_provenance: { stoplists_generated_at: createdAt, ...stoplists } } : {}),
    ...(differences === null ? {} : { manifest_differences: differenceCounts(differences, trace.meta.case_id) }),
    timestamp_derivation: {
      method: 'trace_t_emitted_ms',
      fallback_method: 'run_start_time_plus_seq',
      derived_from_t_emitted: timestamps.fromTrace,
      derived_from_fallback: timestamps.fromFallback,
      missing_t_emitted_ms_count: timestamps.fromFallback,
    },
    determinism: { gzip_mtime: 0, json_separators: [',', ':'], json_sort_keys: true },
  };
}

function differenceCounts({ manifest, changed, missing, unlisted }: ManifestDifferences, caseId: string): object {
  const own = changed.includes(caseId) ? 'changed' : unlisted.includes(caseId) ? 'not listed' : 'as frozen';
  const counts = { changed: changed.length, missing: missing.length, unlisted: unlisted.length };
  return { forced: true, manifest, ...counts, this_trace: own };
}

/**
 * Whether the log of a first record was made as this one would be. What it is to be measured by does not matter: it
 * changes no other record.
 */
export function isSameRun(found: RunMeta, wanted: RunMeta): boolean {
  const shared = (meta: RunMeta): string => {
    const { timestamp_derivation: _counts, concept_extractor: _by, stoplists_provenance: _lists, ...rest } = meta;
    return sortedJson(rest);
  };
  return shared(found) === shared(wanted);
}
