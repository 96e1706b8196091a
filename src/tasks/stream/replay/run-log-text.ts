import { sortedJson } from '../../../data/sorted-json.ts';
import type { RunLog } from '../run-log-records.ts';

/** A run log as its file holds it: one record a line, sorted keys; the run, then flushes, decisions and summaries. */
export function runLogText({ meta, flushes, decisions, summaries }: RunLog): string {
  return [meta, ...flushes, ...decisions, ...summaries].map((record) => `${sortedJson(record)}\n`).join('');
}
