import { existsSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';

import {
  compareText,
  fileSource,
  InputError,
  type Problem,
  PROBLEMS_SHOWN,
  sha256Of,
  UsageError,
  writeAside,
} from '../../plugin.ts';
import { datasetHash } from '../dataset-hash.ts';
import { caseListText, type TraceManifest, manifestText, readManifest } from '../manifest.ts';
import {
  CASE_LIST_HASH_INPUT,
  DATASET_HASH_DEFINITION,
  MANIFEST_SCHEMA,
  type TraceEntry,
} from '../manifest-records.ts';
import type { TraceMeta } from '../trace-records.ts';
import { findFiles, seeFile, type SeenFile } from '../validate/find-files.ts';
import { Findings } from '../validate/findings.ts';
import { RecordReader, recordBatches } from '../validate/record-file.ts';
import { checkTrace } from '../validate/trace-invariants.ts';

export interface FreezeOptions {
  readonly folder: string;
  /** Names the files: `<dataset>.manifest.jsonl` and `<dataset>.case_list.jsonl`. */
  readonly dataset: string;
  /** What produced the conversations; null: what the traces have, or the dataset's name. */
  readonly masRunId: string | null;
  /** Write although traces that were frozen before are gone or are others now. */
  readonly force: boolean;
  /** Further fields of the manifest's provenance, if the caller knows more. */
  readonly provenance?: Readonly<Record<string, unknown>>;
}

export interface Frozen {
  readonly manifest: string;
  readonly caseList: string;
  readonly cases: number;
  readonly deltas: number;
  readonly turns: number;
  readonly datasetHash: string;
}

interface FreshTrace {
  readonly entry: TraceEntry;
  readonly meta: TraceMeta;
}

/** Writes down which traces a folder holds and what they are, so that any later change shows. No clock is read. */
export async function freeze(options: FreezeOptions): Promise<Frozen> {
  const { folder, dataset, force } = options;
  const traces = await readTraces(folder);
  const manifestFile = join(folder, `${dataset}.manifest.jsonl`);
  const before = existsSync(manifestFile) ? await readManifest(manifestFile) : null;
  const entries = traces.map(({ entry }) => entry);
  if (before !== null && !force) refuseChanges(before, entries, manifestFile);
  const caseList = caseListText(entries.map(({ case_id: id }) => id));
  const masRunId =
    options.masRunId ?? shared(traces, 'mas_run_id', before?.meta.mas_run_id ?? publishedId(dataset, 'mas_'));
  const manifest = manifestOf(
    dataset,
    masRunId,
    sha256Of(caseList),
    traces,
    { ...before?.provenance },
    { ...options.provenance },
  );
  const caseListFile = join(folder, `${dataset}.case_list.jsonl`);
  writeAside(caseListFile, caseList);
  writeAside(manifestFile, manifestText(manifest));
  const { total_cases: cases, total_deltas: deltas, total_turns: turns } = manifest.summary;
  return {
    manifest: manifestFile,
    caseList: caseListFile,
    cases,
    deltas,
    turns,
    datasetHash: manifest.provenance.trace_dataset_hash ?? '',
  };
}

/** All traces of the folder by case id, or all that is wrong with them. */
async function readTraces(folder: string): Promise<FreshTrace[]> {
  const problems: Problem[] = [];
  const findings = new Findings(({ file, record, message }) => {
    if (problems.length < PROBLEMS_SHOWN) problems.push({ file, line: record, message });
  });
  const reader = new RecordReader(findings);
  const found: FreshTrace[] = [];
  const fileOfCase = new Map<string, string>();
  const { files, closed } = findFiles([folder]);
  for (const { path, reason } of closed) findings.add(path, null, 'readable', `the folder cannot be read (${reason})`);
  for (const { path } of files) {
    const { kind } = await seeFile(path);
    if (kind !== 'trace') {
      const why = await whyNoTrace(path, kind);
      if (why !== null) findings.add(path, null, 'readable', why);
      continue;
    }
    const { meta, metaLine, deltas, turns, sha256 } = await checkTrace(path, null, reader);
    if (meta === null) continue;
    const before = fileOfCase.get(meta.case_id);
    if (before !== undefined)
      findings.add(
        path,
        metaLine,
        'duplicate',
        `case_id: found ${meta.case_id}, the case of ${before} too, expected another`,
      );
    fileOfCase.set(meta.case_id, path);
    const file = relative(folder, path).split(sep).join('/');
    const entry = {
      record_type: 'trace_entry',
      case_id: meta.case_id,
      file,
      sha256,
      delta_count: deltas,
      turn_count: turns,
    } as const;
    found.push({ entry, meta });
  }
  if (findings.count > 0) throw new InputError(problems, findings.count);
  if (found.length === 0) throw new UsageError(`${folder}: no traces there`, 'assay stream record makes traces');
  return found.sort((a, b) => compareText(a.entry.case_id, b.entry.case_id));
}

function refuseChanges(before: TraceManifest, entries: readonly TraceEntry[], file: string): void {
  const now = new Map(entries.map((entry) => [entry.case_id, entry.sha256]));
  const changed = before.entries.filter(({ case_id: id, sha256 }) => now.get(id) !== sha256);
  if (changed.length === 0) return;
  const words = changed.slice(0, 5).map(({ case_id: id }) => `${id} ${now.has(id) ? 'has changed' : 'is gone'}`);
  throw new UsageError(
    `${file}: of the frozen traces ${words.join(', ')}${changed.length > 5 ? ` and ${changed.length - 5} more` : ''}`,
    'put them back, choose another --dataset, or add --force to freeze what is there now',
  );
}

/** The value that all traces share; `otherwise` if none has one. */
function shared(traces: readonly FreshTrace[], field: 'mas_run_id' | 'model', otherwise: string): string {
  const values = [...new Set(traces.map(({ meta }) => meta[field]))];
  if (values.length > 1)
    throw new UsageError(
      `the traces have different ${field}: ${values
        .slice(0, 5)
        .map((value) => value ?? 'none')
        .join(', ')}`,
      'freeze them apart, or name what they have in common with --run-id',
    );
  return values[0] ?? otherwise;
}

function manifestOf(
  dataset: string,
  masRunId: string,
  caseListHash: string,
  traces: readonly FreshTrace[],
  before: Readonly<Record<string, unknown>>,
  stated: Readonly<Record<string, unknown>>,
): TraceManifest {
  const entries = traces.map(({ entry }) => entry);
  const sum = (of: (entry: TraceEntry) => number): number => entries.reduce((total, entry) => total + of(entry), 0);
  const models = new Set(traces.map(({ meta }) => meta.model));
  const [model] = models.size === 1 ? models : [];
  const commits = [...new Set(traces.map(({ meta }) => meta.mac_commit ?? null))];
  if (commits.length > 1)
    throw new UsageError(
      `the traces have different mac_commit: ${commits
        .slice(0, 5)
        .map((commit) => commit ?? 'none')
        .join(', ')}`,
      'what one version of the agents said is not compared with what another did: freeze them apart',
    );
  const [commit = null] = commits;
  const wanted = stated['mac_commit'];
  if (commit !== null && typeof wanted === 'string' && wanted !== commit)
    throw new UsageError(
      `the traces have mac_commit ${commit}, the configuration ${wanted}`,
      'record the traces again with the agents of the configuration, or correct mac.commit',
    );
  const { model: _, ...kept } = before;
  return {
    meta: {
      record_type: 'manifest_meta',
      schema_version: MANIFEST_SCHEMA.version,
      dataset_id: publishedId(dataset, 'exaid_traces_'),
      mas_run_id: masRunId,
      created_at: latestStart(traces),
    },
    provenance: {
      exaid_commit: 'assay',
      ...kept,
      ...stated,
      record_type: 'provenance',
      ...(model === undefined ? {} : { model }),
      ...(commit === null ? {} : { mac_commit: commit }),
      case_list_hash: caseListHash,
      case_list_hash_input: CASE_LIST_HASH_INPUT,
      trace_dataset_hash_definition: DATASET_HASH_DEFINITION,
      trace_dataset_hash: datasetHash({
        masRunId,
        caseListHash,
        traces: entries.map(({ case_id: id, sha256 }) => [id, sha256]),
      }),
    },
    entries,
    summary: {
      record_type: 'summary',
      total_cases: entries.length,
      total_deltas: sum((entry) => entry.delta_count),
      total_turns: sum((entry) => entry.turn_count),
    },
  };
}

/** An id with the beginning and the characters that the published schema wants. */
function publishedId(name: string, begin: string): string {
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_');
  return slug.startsWith(begin) ? slug : `${begin}${slug}`;
}

/** When the latest conversation began. */
function latestStart(traces: readonly FreshTrace[]): string {
  return new Date(Math.max(...traces.map(({ meta }) => meta.t0_emitted_ms))).toISOString();
}

const TRACE_NAME = /\.trace\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$/i;
const OTHER_NAME = /\.(?:run|manifest|case_list)\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$/i;

/**
 * Why a file that is not a trace must not be passed over: its name is that of a trace, or nothing in it shows that it is
 * something else. Null: it is something else.
 */
async function whyNoTrace(path: string, kind: SeenFile['kind']): Promise<string | null> {
  const name = basename(path);
  const next = 'fix it, record it again, or take it out of the folder';
  if (kind === 'unknown')
    return OTHER_NAME.test(name) ? null : `expected a trace, found ${await firstFault(path)} (${next})`;
  if (!TRACE_NAME.test(name)) return null;
  const found = kind === 'other' ? 'records of another sort' : `a ${kind.replace('-', ' ')}`;
  return `expected a trace by its name, found ${found} (${next})`;
}

async function firstFault(path: string): Promise<string> {
  for await (const batch of recordBatches(fileSource(path)))
    for (const record of batch) if ('fault' in record) return `no record that can be read: ${record.fault}`;
  return 'no record at all';
}
