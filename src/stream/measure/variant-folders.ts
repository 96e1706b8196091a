import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { compareNatural, compareText, errorCode, suggestion, UsageError } from '../../plugin.ts';
import { readRunLog, runLogFiles } from '../read-run-log.ts';
import { readTrace, traceFiles } from '../read-trace.ts';
import type { CaseFiles } from './stream-reader.ts';

const LOG = /\.jsonl(?:\.gz|\.zst)?$/;

/** The variants of a folder of run logs: its folders that hold logs; or the folder itself, under its name. */
export function variantFolders(runs: string, wanted: readonly string[] | null): Map<string, string> {
  let entries;
  try {
    entries = readdirSync(runs, { withFileTypes: true });
  } catch (error) {
    throw new UsageError(
      `--runs ${runs}: cannot be read (${errorCode(error)})`,
      'name the folder that stream replay wrote',
    );
  }
  const found = new Map(
    entries
      .filter((entry) => entry.isDirectory() && readdirSync(join(runs, entry.name)).some((name) => LOG.test(name)))
      .map(({ name }): [string, string] => [name, join(runs, name)])
      .sort(([a], [b]) => compareNatural(a, b)),
  );
  if (found.size === 0 && entries.some(({ name }) => LOG.test(name))) found.set(basename(runs), runs);
  if (found.size === 0)
    throw new UsageError(`--runs ${runs}: there are no run logs`, 'expected folders such as V0 with .jsonl.gz files');
  if (wanted === null) return found;
  return new Map(
    wanted.map((name): [string, string] => {
      const folder = found.get(name);
      if (folder !== undefined) return [name, folder];
      throw new UsageError(`there is no variant ${name} in ${runs}`, suggestion(name, [...found.keys()], 'variants'));
    }),
  );
}

/** Traces by case. */
export async function tracesByCase(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of traceFiles(folder)) {
    const { case_id: id } = (await readTrace(file)).meta;
    const other = found.get(id);
    if (other !== undefined)
      throw new UsageError(`${file} and ${other} are both the case ${id}`, 'each case has one trace');
    found.set(id, file);
  }
  return new Map([...found].sort(([a], [b]) => compareText(a, b)));
}

/** Each case of the traces with its log in a variant; a log whose trace is not there cannot be measured. */
export async function caseFiles(
  traces: ReadonlyMap<string, string>,
  folder: string,
): Promise<readonly (CaseFiles & { readonly case: string })[]> {
  const logs = new Map<string, string>();
  for (const file of statSync(folder).isDirectory() ? runLogFiles(folder) : [folder]) {
    const { case_id: written } = (await readRunLog(file)).meta;
    const id = traces.has(written) ? written : written.replace(/\.trace$/, '');
    if (!traces.has(id))
      throw new UsageError(
        `${file}: there is no trace of the case ${written}`,
        'name the folder of its trace with --traces',
      );
    const other = logs.get(id);
    if (other !== undefined)
      throw new UsageError(`${file} and ${other} are both logs of the case ${id}`, 'keep one of them');
    logs.set(id, file);
  }
  return [...traces].map(([id, trace]) => ({ case: id, trace, log: logs.get(id) ?? null }));
}
