import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { sortedJson } from '../../data/sorted-json.ts';
import { InputError } from '../../data/problems.ts';
import { readText } from '../../data/read-text.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { compareText } from '../../text/compare.ts';
import { manifestRecord } from './manifest-records.ts';
import { readTrace } from './read-trace.ts';
import { refuseOther } from './refuse-other.ts';

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

export interface NamedDataset {
  readonly hash: string;
  /** What a reader should know about where it comes from. */
  readonly notices: readonly string[];
}

/**
 * The hash of the set that traces belong to: from their manifest, named or beside them (in their folder, or in a folder
 * `manifests` next to it), where each of them is as it was frozen; else of the traces at hand.
 */
export async function datasetHashOf(traces: readonly string[], manifest: string | null): Promise<NamedDataset> {
  const found = manifest ?? manifestBeside(dirname(traces[0]!));
  const own: [string, string][] = [];
  let masRunId: string | null = null;
  for (const file of traces) {
    const { meta, sha256 } = await readTrace(file);
    masRunId ??= meta.mas_run_id ?? null;
    own.push([meta.case_id, sha256]);
  }
  const computed = datasetHash({ masRunId, caseListHash: null, traces: own });
  if (found === null) return { hash: computed, notices: [] };
  const frozen = await frozenSet(found);
  if (frozen.hash === null)
    return { hash: computed, notices: [`${basename(found)} has no trace_dataset_hash: that of the traces is used`] };
  const other = own.filter(([id, sha256]) => frozen.traces.get(id) !== sha256).map(([id]) => id);
  if (other.length === 0) return { hash: frozen.hash, notices: [] };
  return {
    hash: computed,
    notices: [
      `${other.length} of ${own.length} traces are not as ${basename(found)} froze them (${other.slice(0, 3).join(', ')}): ` +
        'the hash of the traces at hand is used',
    ],
  };
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

interface FrozenSet {
  readonly hash: string | null;
  readonly traces: ReadonlyMap<string, string>;
}

async function frozenSet(manifest: string): Promise<FrozenSet> {
  const { text } = await readText(manifest);
  refuseOther(text, manifest, 'manifest_meta', 'a manifest');
  const traces = new Map<string, string>();
  let hash: string | null = null;
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const record = manifestRecord.safeParse(parsedLine(line));
    if (!record.success)
      throw new InputError([
        { file: manifest, line: at + 1, message: 'no record of a manifest', next: 'assay stream validate says why' },
      ]);
    if (record.data.record_type === 'provenance') hash = record.data.trace_dataset_hash ?? null;
    if (record.data.record_type === 'trace_entry') traces.set(record.data.case_id, record.data.sha256);
  }
  return { hash, traces };
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
