import { textLines } from '../../data/lines.ts';
import { Problems } from '../../data/problems.ts';
import { readText } from '../../data/read-file.ts';
import { filesOf } from './read-trace.ts';
import { refuseOther } from './refuse-other.ts';
import {
  type BufferDecision,
  type RunLog,
  type RunLogRecord,
  type RunMeta,
  runLogRecord,
  type SummaryEvent,
  type TokengateFlush,
} from './run-log-records.ts';

/** The files of a folder that may hold run logs, in natural order. */
export function runLogFiles(folder: string): string[] {
  return filesOf(folder, 'run logs');
}

/** One run log, packed or not; its records by index. */
export async function readRunLog(file: string): Promise<RunLog> {
  return parseRunLog((await readText(file)).text, file);
}

export function parseRunLog(text: string, file: string): RunLog {
  refuseOther(text, file, 'run_meta', 'a run log');
  const problems = new Problems();
  const metas: RunMeta[] = [];
  const flushes: TokengateFlush[] = [];
  const decisions: BufferDecision[] = [];
  const summaries: SummaryEvent[] = [];
  const keep = (record: RunLogRecord): void => {
    switch (record.record_type) {
      case 'run_meta':
        metas.push(record);
        break;
      case 'tokengate_flush':
        flushes.push(record);
        break;
      case 'buffer_decision':
        decisions.push(record);
        break;
      case 'summary_event':
        summaries.push(record);
        break;
    }
  };
  for (const { text: written, line } of textLines(text)) {
    let value: unknown;
    try {
      value = JSON.parse(written);
    } catch {
      problems.add({ file, line, message: 'not JSON' });
      continue;
    }
    const parsed = runLogRecord.safeParse(value);
    if (parsed.success) keep(parsed.data);
    else
      for (const issue of parsed.error.issues.slice(0, 3))
        problems.add({ file, line, field: issue.path.map(String).join('.'), message: issue.message });
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
