import { basename } from 'node:path';

import type { DatasetNames } from './dataset-names.ts';
import type { FoundTrace } from './entry-check.ts';
import type { SeenFile } from './file-kind.ts';
import type { FoundFile } from './find-files.ts';
import { HeldTrace } from './held-trace.ts';
import type { RawRecord } from './record-file.ts';
import type { Reading } from './reading.ts';
import { type LogContext, RunLogCheck } from './run-log-check.ts';
import { TraceCheck } from './trace-check.ts';
import { TraceKeeper } from './trace-keeper.ts';

/** A trace that is larger than this is checked for itself, but run logs are not compared with it. */
const MOST_HELD_BYTES = 2 ** 28;

export interface KnownFile extends FoundFile, SeenFile {}

/** Each trace, then the logs made from it, so that no more than one trace is held at a time. */
export async function checkTracesAndLogs(
  traces: readonly KnownFile[],
  logs: readonly KnownFile[],
  { datasets, complete }: { readonly datasets: readonly DatasetNames[]; readonly complete: boolean },
  reading: Reading,
): Promise<FoundTrace[]> {
  const { findings } = reading;
  const waiting = Map.groupBy(logs, ({ caseId }) => caseId);
  const found: FoundTrace[] = [];
  const fileOfCase = new Map<string, string>();
  for (const file of traces) {
    const own = namesOf(file).flatMap((name) => waiting.get(name) ?? []);
    for (const name of namesOf(file)) waiting.delete(name);
    const keeper = own.length === 0 ? null : new TraceKeeper(MOST_HELD_BYTES);
    const trace = await checkTrace(file.path, keeper, reading);
    found.push(trace);
    onlyOne(trace, fileOfCase, reading);
    const kept = trace.sure && trace.whole ? (keeper?.trace(file.path, trace.sha256) ?? null) : null;
    const held = kept === null ? null : new HeldTrace(kept);
    for (const log of own) {
      if (keeper?.tooLarge === true) findings.notice('trace-too-large');
      if (log.caseId !== trace.caseId) findings.notice('case-named-after-file');
      await checkRunLog(log.path, { trace: { ...trace, held }, datasets }, reading);
    }
  }
  for (const log of [...waiting.values()].flat()) {
    if (complete)
      findings.add(
        log.path,
        null,
        'missing',
        `found no trace of ${log.caseId ?? 'this log'}, expected the one that it was made from`,
      );
    else findings.notice('log-without-trace');
    await checkRunLog(log.path, { trace: null, datasets }, reading);
  }
  return found;
}

async function checkTrace(path: string, keeper: TraceKeeper | null, reading: Reading): Promise<FoundTrace> {
  const check = new TraceCheck(path, reading.findings);
  const { sha256, storedSha256, whole } = await reading.into(path, {
    take(raw: RawRecord) {
      const record = check.take(raw);
      if (record !== null) keeper?.keep(record);
    },
    lost: () => check.lost(),
  });
  return { ...check.end(), file: path, sha256, storedSha256, whole };
}

async function checkRunLog(path: string, context: LogContext, reading: Reading): Promise<void> {
  const check = new RunLogCheck(path, reading.findings, context);
  await reading.into(path, check);
  check.end();
}

function onlyOne({ caseId, file, metaLine }: FoundTrace, fileOfCase: Map<string, string>, { findings }: Reading): void {
  if (caseId === null) return;
  const before = fileOfCase.get(caseId);
  if (before === undefined) fileOfCase.set(caseId, file);
  else
    findings.add(file, metaLine, 'duplicate', `case_id: found ${caseId}, the case of ${before} too, expected another`);
}

/** What run logs may call the case of a trace: by its id, or by the name of its file without the ending. */
function namesOf({ path, caseId }: KnownFile): string[] {
  const stem = basename(path).replace(/\.(?:jsonl|ndjson)(?:\.gz)?$/i, '');
  return [...new Set([caseId ?? stem, stem])];
}
