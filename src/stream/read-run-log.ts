import { Problems, readText } from '../plugin.ts';
import { checkedRecord, recordLines } from './record-lines.ts';
import { filesOf } from './read-trace.ts';
import {
  type BufferDecision,
  type RunLog,
  type RunMeta,
  runLogRecord,
  type SummaryEvent,
  type TokengateFlush,
} from './run-log-records.ts';

/** The files of a folder that may hold run logs, in natural order. */
export function runLogFiles(folder: string): string[] {
  return filesOf(folder, 'run logs');
}

/** One run log, compressed or not; its records by index. */
export async function readRunLog(file: string): Promise<RunLog> {
  return parseRunLog((await readText(file)).text, file);
}

export function parseRunLog(text: string, file: string): RunLog {
  const problems = new Problems();
  const metas: RunMeta[] = [];
  const flushes: TokengateFlush[] = [];
  const decisions: BufferDecision[] = [];
  const summaries: SummaryEvent[] = [];
  for (const { value, line } of recordLines(text, file, 'run_meta', problems)) {
    const record = checkedRecord(runLogRecord, value, file, line, problems);
    if (record?.record_type === 'run_meta') metas.push(record);
    else if (record?.record_type === 'tokengate_flush') flushes.push(record);
    else if (record?.record_type === 'buffer_decision') decisions.push(record);
    else if (record !== null) summaries.push(record);
  }
  if (problems.count === 0 && metas.length !== 1)
    problems.add({
      file,
      line: null,
      message: `${metas.length === 0 ? 'no' : metas.length} run_meta records: a run log has one`,
    });
  problems.throwIfAny();
  return {
    meta: metas[0]!,
    flushes: flushes.sort((a, b) => a.flush_index - b.flush_index),
    decisions: decisions.sort((a, b) => a.decision_index - b.decision_index),
    summaries: summaries.sort((a, b) => a.event_index - b.event_index),
  };
}
