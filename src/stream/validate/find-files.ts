import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { compareText, entryAt, errorCode, fileSource, isRecord, UsageError } from '../../plugin.ts';
import { MANIFEST_TYPES } from './manifest-invariants.ts';
import { isMetricsRecord } from './metrics-invariants.ts';
import { type Limits, recordBatches } from './record-file.ts';
import { RUN_LOG_TYPES } from './run-log-invariants.ts';
import { TRACE_TYPES } from './trace-invariants.ts';

export interface InputFile {
  readonly path: string;
  /** The user named this very file, not a folder that holds it. */
  readonly named: boolean;
}

interface InputFiles {
  readonly files: readonly InputFile[];
  /** Files that by their names are metrics in one JSON document. */
  readonly documents: readonly InputFile[];
  /** Of both. */
  readonly paths: ReadonlySet<string>;
  /** Files of folders that are not JSON lines by their names; hidden ones, such as .gitkeep, are not counted. */
  readonly others: number;
  /** Folders that cannot be read, with the reason. */
  readonly closed: readonly { readonly path: string; readonly reason: string }[];
  readonly isEmpty: boolean;
}

const JSON_LINES = /\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$/i;
const METRICS_DOCUMENT = /\.metrics\.json(?:\.gz|\.zst)?$/i;

/**
 * The files that were named, and those of JSON lines in folders that were named and in the folders inside them; each
 * once, in text order. Links to folders are not followed: they may lead round in circles.
 */
export function findFiles(places: readonly string[]): InputFiles {
  const found = new Map<string, InputFile>();
  const closed: { path: string; reason: string }[] = [];
  let others = 0;
  const add = (path: string, named: boolean): void => {
    const real = realpathSync(path);
    if (named || !found.has(real)) found.set(real, { path: found.get(real)?.path ?? path, named });
  };
  const walk = (folder: string): void => {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      closed.push({ path: folder, reason: errorCode(error) });
      return;
    }
    for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (isFile(path)) {
        if (JSON_LINES.test(entry.name) || METRICS_DOCUMENT.test(entry.name)) add(path, false);
        else if (!entry.name.startsWith('.')) others += 1;
      }
    }
  };
  for (const place of places) {
    if (entryAt(place)?.isDirectory() === true) walk(place);
    else if (isFile(place)) add(place, true);
    else throw new UsageError(`${place}: neither a file nor a folder`, 'name files of JSON lines, or folders of them');
  }
  const sorted = [...found.values()].sort((a, b) => compareText(a.path, b.path));
  return {
    files: sorted.filter(({ path }) => !METRICS_DOCUMENT.test(path)),
    documents: sorted.filter(({ path }) => METRICS_DOCUMENT.test(path)),
    paths: new Set(sorted.map(({ path }) => path)),
    others,
    closed,
    isEmpty: sorted.length + others + closed.length === 0,
  };
}

/** A link counts as what it leads to; one that leads nowhere is nothing. */
function isFile(path: string): boolean {
  try {
    return entryAt(path)?.isFile() === true;
  } catch {
    return false;
  }
}

export const FILE_KINDS = ['trace', 'run-log', 'manifest', 'case-list', 'metrics'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What a file is, by its first records: `other` has records of another sort, `unknown` has none that could be read. */
export interface SeenFile {
  readonly kind: FileKind | 'other' | 'unknown';
  /** The case that its records name; null if none of those looked at does. */
  readonly caseId: string | null;
}

/** A record or two may be damaged: the next ones still show what the file is. */
const LOOKED_AT = 20;
/** Batches are what a chunk of the file yields: of one endless line, none has a record. */
const MOST_BATCHES = 1000;

const KINDS: ReadonlyMap<string, FileKind> = new Map<string, FileKind>([
  ...TRACE_TYPES.map((type) => [type, 'trace'] as const),
  ...RUN_LOG_TYPES.map((type) => [type, 'run-log'] as const),
  ...MANIFEST_TYPES.map((type) => [type, 'manifest'] as const),
]);

export async function seeFile(path: string, limits?: Limits): Promise<SeenFile> {
  let kind: SeenFile['kind'] = 'unknown';
  let caseId: string | null = null;
  let looked = 0;
  let batches = 0;
  for await (const batch of recordBatches(fileSource(path), limits)) {
    batches += 1;
    if (batches > MOST_BATCHES) break;
    for (const record of batch) {
      looked += 1;
      if (looked > LOOKED_AT) return { kind, caseId };
      if ('fault' in record || !isRecord(record.value)) continue;
      const { value } = record;
      if (kind === 'unknown' || kind === 'other') kind = kindOf(value);
      if (typeof value['case_id'] === 'string') caseId ??= value['case_id'];
      if (kind !== 'other' && caseId !== null) return { kind, caseId };
    }
  }
  return { kind, caseId };
}

function kindOf(record: Readonly<Record<string, unknown>>): SeenFile['kind'] {
  const type = record['record_type'];
  const known = typeof type === 'string' ? KINDS.get(type) : undefined;
  if (known !== undefined) return known;
  if (isMetricsRecord(record)) return 'metrics';
  const isCaseList = type === undefined && typeof record['case_id'] === 'string' && typeof record['index'] === 'number';
  return isCaseList ? 'case-list' : 'other';
}
