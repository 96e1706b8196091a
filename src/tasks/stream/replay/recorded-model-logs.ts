import { statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { UsageError } from '../../../data/problems.ts';
import { readText } from '../../../data/read-file.ts';
import { parseRunLog, runLogFiles } from '../read-run-log.ts';
import type { RunLog } from '../run-log-records.ts';

export interface RecordedLog {
  readonly log: RunLog;
  /** `sha256:…` of the unpacked bytes. */
  readonly sha256: string;
}

/** The log of a case in a variant; null where none was recorded. */
export type FindLog = (caseId: string, variant: string) => Promise<RecordedLog | null>;

/**
 * Logs in DIR/VARIANT/, read when they are asked for. Which case a log is of stands in it; names of files differ between
 * tools, and only say where to look first.
 */
export function recordedLogs(folder: string): FindLog {
  if (!isFolder(folder))
    throw new UsageError(
      `${folder}: no such folder`,
      'name the folder that holds a folder of run logs for each variant',
    );
  const variants = new Map<string, VariantFolder | null>();
  return async (caseId, variant) => {
    let logs = variants.get(variant);
    if (logs === undefined) {
      const place = join(folder, variant);
      logs = isFolder(place) ? variantFolder(place) : null;
      variants.set(variant, logs);
    }
    if (logs === null) return null;
    const wanted = plainId(caseId);
    const likely = logs.byName.get(wanted);
    if (likely?.length === 1) {
      const found = await readLog(likely[0]!);
      if (plainId(found.log.meta.case_id) === wanted) return found;
    }
    const file = (await logs.byCase()).get(wanted);
    return file === undefined ? null : readLog(file);
  };
}

interface VariantFolder {
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** Reads all logs, once. */
  byCase(): Promise<ReadonlyMap<string, string>>;
}

function variantFolder(place: string): VariantFolder {
  const files = runLogFiles(place);
  let byCase: Promise<ReadonlyMap<string, string>> | undefined;
  return { byName: Map.groupBy(files, caseInName), byCase: () => (byCase ??= casesIn(files)) };
}

async function casesIn(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const file of files) {
    const { case_id: written } = (await readLog(file)).log.meta;
    const caseId = plainId(written);
    const other = found.get(caseId);
    if (other !== undefined)
      throw new UsageError(`${other} and ${file} are both logs of the case ${caseId}`, 'keep one of them');
    found.set(caseId, file);
  }
  return found;
}

async function readLog(file: string): Promise<RecordedLog> {
  const { text, sha256 } = await readText(file);
  return { log: parseRunLog(text, file), sha256: `sha256:${sha256}` };
}

/** Some logs name a case after the file of its trace: `case-1.trace` is `case-1`. */
function plainId(caseId: string): string {
  return caseId.replace(/\.trace$/, '');
}

function caseInName(file: string): string {
  return plainId(basename(file).replace(/(?:\.run)?\.jsonl(?:\.gz)?$/, ''));
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
