import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { sortedJson } from '../../data/sorted-json.ts';
import { readText } from '../../data/read-text.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { compareText } from '../../text/compare.ts';
import { provenance } from './manifest-records.ts';
import { readTrace } from './read-trace.ts';

/** What names a set of traces as a whole. */
export interface DatasetParts {
  readonly masRunId: string | null;
  readonly caseListHash: string | null;
  /** Case and `sha256:…` of its trace's unpacked bytes. */
  readonly traces: readonly (readonly [caseId: string, sha256: string])[];
}

/** `sha256:…` of the compact JSON with sorted keys of these parts, the traces by case. */
export function datasetHash({ masRunId, caseListHash, traces }: DatasetParts): string {
  const parts = {
    mas_run_id: masRunId,
    case_list_hash: caseListHash,
    traces: traces.toSorted(([a], [b]) => compareText(a, b)),
  };
  return sha256Of(sortedJson(parts));
}

/**
 * The hash of the set that traces belong to: from their manifest, named or beside them (in their folder, or in a folder
 * `manifests` next to it); without one, of the traces at hand.
 */
export async function datasetHashOf(traces: readonly string[], manifest: string | null): Promise<string> {
  const found = manifest ?? manifestBeside(dirname(traces[0]!));
  const said = found === null ? null : await hashIn(found);
  if (said !== null) return said;
  const own: [string, string][] = [];
  let masRunId: string | null = null;
  for (const file of traces) {
    const { meta, sha256 } = await readTrace(file);
    masRunId ??= meta.mas_run_id ?? null;
    own.push([meta.case_id, sha256]);
  }
  return datasetHash({ masRunId, caseListHash: null, traces: own });
}

/** The only manifest near a folder of traces; null where there is none, or more than one to choose from. */
function manifestBeside(folder: string): string | null {
  const places = [folder, join(dirname(folder), 'manifests')].filter((place) => existsSync(place));
  const found = places.flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith('.manifest.jsonl'))
      .map((name) => join(place, name)),
  );
  return found.length === 1 ? found[0]! : null;
}

async function hashIn(manifest: string): Promise<string | null> {
  const { text } = await readText(manifest);
  for (const line of text.split('\n')) {
    if (!line.includes('"provenance"')) continue;
    const parsed = provenance.safeParse(JSON.parse(line));
    if (parsed.success) return parsed.data.trace_dataset_hash ?? null;
  }
  return null;
}
