import { basename } from 'node:path';

import { suggestion, UsageError } from '../../plugin.ts';
import { tracesByCase, variantFolders } from './variant-folders.ts';
import { readRunLog, runLogFiles } from '../read-run-log.ts';
import { readTrace, traceFiles } from '../read-trace.ts';
import type { RunLog } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';

/** A case whose timeline can be drawn. */
export interface TimelineCase {
  readonly id: string;
  readonly trace: Trace;
  /** Of the variants that have one. */
  readonly logs: readonly { readonly name: string; readonly log: RunLog }[];
}

/** The named cases, or the first, each with its trace and its logs. */
export async function timelineCases(
  traces: string,
  runs: string,
  ids: readonly string[] | null,
  variants: readonly string[] | null,
): Promise<TimelineCase[]> {
  const folders = variantFolders(runs, variants);
  const cases: TimelineCase[] = [];
  for (const wanted of ids === null ? [null] : new Set(ids)) {
    const trace = wanted === null ? await readTrace(traceFiles(traces)[0]!) : await traceOf(traces, wanted);
    const id = trace.meta.case_id;
    const logs: { name: string; log: RunLog }[] = [];
    for (const [name, folder] of folders) {
      const log = await logOf(folder, id);
      if (log !== null) logs.push({ name, log });
    }
    if (logs.length === 0)
      throw new UsageError(
        `${runs} has no run log of the case ${id}`,
        `looked in ${[...folders.keys()].join(', ')}: choose another case with --case`,
      );
    cases.push({ id, trace, logs });
  }
  return cases;
}

/** Files are mostly named after their case; if they are not, all are searched. */
async function traceOf(folder: string, wanted: string): Promise<Trace> {
  const ids = [wanted, withoutEnding(wanted)];
  for (const file of traceFiles(folder).filter((path) => caseNamed(path) === withoutEnding(wanted))) {
    const trace = await readTrace(file);
    if (ids.includes(trace.meta.case_id)) return trace;
  }
  const all = await tracesByCase(folder);
  const file = ids.map((id) => all.get(id)).find((path) => path !== undefined);
  if (file === undefined)
    throw new UsageError(
      `there is no trace of the case ${wanted} in ${folder}`,
      suggestion(wanted, [...all.keys()], 'cases'),
    );
  return readTrace(file);
}

async function logOf(folder: string, id: string): Promise<RunLog | null> {
  const files = runLogFiles(folder);
  const named = files.filter((path) => caseNamed(path) === withoutEnding(id));
  for (const file of [...named, ...files.filter((path) => !named.includes(path))]) {
    const log = await readRunLog(file);
    if (withoutEnding(log.meta.case_id) === withoutEnding(id)) return log;
  }
  return null;
}

function caseNamed(path: string): string {
  return withoutEnding(basename(path).replace(/\.jsonl(?:\.gz)?$/, ''));
}

/** Logs of other programs name a case by its file. */
function withoutEnding(name: string): string {
  return name.replace(/\.(?:trace|run)$/, '');
}
