import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { ExperimentSource } from './load-experiment.ts';
import { type ExperimentRecord, readRecord, RECORD_FILE, RUNS_FOLDER } from './run-folder.ts';

/** Settings of the newest run in `runs/` over a dataset, by any of its names; null without such a run. */
export function lastRunOver(names: readonly unknown[], backend: string): Exclude<ExperimentSource, string> | null {
  let last: { readonly folder: string; readonly record: ExperimentRecord } | null = null;
  for (const folder of runFolders()) {
    const record = readableRecord(folder);
    if (record?.settings === undefined || record.dataset.backend !== backend) continue;
    if (![record.dataset.name, record.given['dataset']].some((name) => names.includes(name))) continue;
    if (last === null || record.startedAt > last.record.startedAt) last = { folder, record };
  }
  const { given, settings } = last?.record ?? {};
  if (last === null || settings === undefined || !isRecord(given?.['target'])) return null;
  const { folder, baseUrl, ...others } = settings;
  const target = { ...given['target'], ...(baseUrl === undefined ? {} : { baseUrl }) };
  return { file: join(last.folder, RECORD_FILE), folder: resolve(folder), value: { ...others, target } };
}

function runFolders(): string[] {
  try {
    return readdirSync(RUNS_FOLDER).map((name) => join(RUNS_FOLDER, name));
  } catch {
    return [];
  }
}

/** Null for folders that hold something else, also runs of other versions. */
function readableRecord(folder: string): ExperimentRecord | null {
  try {
    return readRecord(folder);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}
