import { datasetHash } from '../dataset-hash.ts';
import type { CheckedManifest } from './manifest-check.ts';

/** What run logs may name the set of a manifest by. */
export interface DatasetNames {
  /** As the manifest says. */
  readonly stated: string;
  /** The same traces hashed before they were frozen: without a case list, and perhaps without the id of a run. */
  readonly unfrozen: readonly string[];
}

export function datasetNames({ meta, provenance, entries }: CheckedManifest): DatasetNames[] {
  const stated = provenance?.record.trace_dataset_hash;
  if (meta === null || stated === undefined) return [];
  const traces = entries.map(({ record }) => [record.case_id, record.sha256] as const);
  const unfrozen = [meta.mas_run_id, null].map((masRunId) => datasetHash({ masRunId, caseListHash: null, traces }));
  return [{ stated, unfrozen }];
}
