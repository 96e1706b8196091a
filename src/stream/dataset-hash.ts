import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { compareText, InputError, Problems, readText, sha256Of, sortedJson, UsageError } from '../plugin.ts';
import { checkedRecord, recordLines } from './record-lines.ts';
import { manifestRecord } from './manifest-records.ts';
import { readTrace } from './read-trace.ts';

interface DatasetParts {
  readonly masRunId: string | null;
  readonly caseListHash: string | null;
  /** Case and `sha256:…` of its trace's decompressed bytes. */
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

interface NamedDataset {
  readonly hash: string;
  readonly notices: readonly string[];
  /** Cases whose deltas have no t_emitted_ms at all: a replay makes their times up. */
  readonly untimed: readonly string[];
  /** Null if the traces are as their manifest has them, or have none. */
  readonly differences: ManifestDifferences | null;
}

/** How traces differ from their manifest, by case. */
export interface ManifestDifferences {
  readonly manifest: string;
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly unlisted: readonly string[];
}

interface DatasetOptions {
  /** Null: the one next to the traces. */
  readonly manifest?: string | null;
  /** False: one trace was named by itself, so the others of the set are not missing. */
  readonly whole?: boolean;
  readonly force?: boolean;
}

/**
 * The hash of the set that traces belong to: from their manifest, named or next to them (in their folder, or in a folder
 * `manifests` next to it), if each of them is as it was frozen; else of the traces at hand. Traces that differ from
 * their manifest are refused unless forced; another mac_commit than the manifest's always is.
 */
export async function datasetHashOf(traces: readonly string[], options: DatasetOptions = {}): Promise<NamedDataset> {
  const beside = manifestsBeside(dirname(traces[0]!));
  const found = options.manifest ?? (beside.length === 1 ? beside[0]! : null);
  const own = new Map<string, string>();
  const commits: TraceCommit[] = [];
  const untimed: string[] = [];
  let masRunId: string | null = null;
  for (const file of traces) {
    const { meta, deltas, sha256 } = await readTrace(file);
    if (deltas.length > 0 && deltas.every(({ t_emitted_ms: time }) => time == null)) untimed.push(meta.case_id);
    masRunId ??= meta.mas_run_id ?? null;
    own.set(meta.case_id, sha256);
    if (typeof meta.mac_commit === 'string') commits.push({ file, commit: meta.mac_commit });
  }
  const computed = datasetHash({ masRunId, caseListHash: null, traces: [...own] });
  if (found === null) {
    const [other] = mixedCommits(commits);
    if (other !== undefined)
      throw new InputError([{ ...other, line: null, field: 'mac_commit', next: 'replay the traces of each apart' }]);
    const names = beside.map((file) => basename(file)).join(', ');
    const notices =
      beside.length > 1 ? [`none of ${names} was compared with the traces: name one with --manifest`] : [];
    return { hash: computed, untimed, notices, differences: null };
  }
  const frozen = await frozenSet(found);
  for (const message of otherCommits(frozen.commit, commits))
    throw new InputError([{ file: found, line: frozen.commitLine, field: 'mac_commit', message, next: OTHER_COMMIT }]);
  const differences: ManifestDifferences = {
    manifest: basename(found),
    changed: [...own.keys()].filter((id) => frozen.traces.has(id) && frozen.traces.get(id) !== own.get(id)),
    missing: options.whole === false ? [] : [...frozen.traces.keys()].filter((id) => !own.has(id)),
    unlisted: [...own.keys()].filter((id) => !frozen.traces.has(id)),
  };
  const { changed, missing, unlisted } = differences;
  if (changed.length + missing.length + unlisted.length === 0)
    return frozen.hash === null
      ? {
          hash: computed,
          untimed,
          notices: [`${basename(found)} has no trace_dataset_hash: that of the traces is used`],
          differences: null,
        }
      : { hash: frozen.hash, untimed, notices: [], differences: null };
  const words = `the traces are not as ${basename(found)} froze them: ${differenceWords(differences)}`;
  if (options.force !== true)
    throw new UsageError(
      words,
      'put them back, freeze them again with assay stream freeze, name their own --manifest, or continue with --force, which each log then states',
    );
  return {
    hash: computed,
    untimed,
    notices: [`${words}; --force continued, with the hash of the traces at hand`],
    differences,
  };
}

interface TraceCommit {
  readonly file: string;
  readonly commit: string;
}

/** The first trace of each commit that is not the first trace's: what is measured on several versions of the agents is invalid. */
export function mixedCommits(traces: readonly TraceCommit[]): { readonly file: string; readonly message: string }[] {
  const [first, ...others] = [...Map.groupBy(traces, ({ commit }) => commit)].map(([, own]) => own[0]!);
  return others.map(({ file, commit }) => ({
    file,
    message: `found ${commit}, expected ${first!.commit} as in ${first!.file}`,
  }));
}

/** What to do about a manifest of another version of the agents than the traces. */
export const OTHER_COMMIT = 'record the traces again with the agents of the manifest, or freeze these traces again';

/** A sentence for each commit that traces name and the manifest does not, with the first file that names it. */
export function otherCommits(stated: string | null, traces: readonly TraceCommit[]): string[] {
  if (stated === null) return [];
  return [...Map.groupBy(traces, ({ commit }) => commit)].flatMap(([commit, own]) =>
    commit === stated
      ? []
      : [
          `found ${stated}, expected ${commit} as in ${own[0]!.file}${own.length > 1 ? ` and ${own.length - 1} more` : ''}`,
        ],
  );
}

function differenceWords({ changed, missing, unlisted }: ManifestDifferences): string {
  const words = (ids: readonly string[], what: string): string[] =>
    ids.length === 0 ? [] : [`${ids.length} ${what} (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''})`];
  return [...words(changed, 'changed'), ...words(missing, 'missing'), ...words(unlisted, 'not listed')].join(', ');
}

function manifestsBeside(folder: string): string[] {
  const places = [folder, join(dirname(folder), 'manifests')].filter((place) => existsSync(place));
  return places.flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith('.manifest.jsonl'))
      .map((name) => join(place, name)),
  );
}

interface FrozenSet {
  readonly hash: string | null;
  readonly commit: string | null;
  readonly commitLine: number | null;
  readonly traces: ReadonlyMap<string, string>;
}

async function frozenSet(manifest: string): Promise<FrozenSet> {
  const { text } = await readText(manifest);
  const problems = new Problems();
  const traces = new Map<string, string>();
  let hash: string | null = null;
  let commit: string | null = null;
  let commitLine: number | null = null;
  for (const { value, line } of recordLines(text, manifest, 'manifest_meta', problems)) {
    const record = checkedRecord(manifestRecord, value, manifest, line, problems);
    if (record?.record_type === 'provenance') {
      hash = record.trace_dataset_hash ?? null;
      commit = record.mac_commit ?? null;
      commitLine = line;
    }
    if (record?.record_type === 'trace_entry') traces.set(record.case_id, record.sha256);
  }
  problems.throwIfAny();
  return { hash, commit, commitLine, traces };
}
