import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { type ReportedComparison, reportedComparisons } from '../audit/checks/reported-values.ts';
import type { Audit } from '../audit/finding.ts';
import { UsageError } from '../data/problems.ts';
import { sourceOf } from '../data/named-files.ts';
import { type Source } from '../data/source.ts';
import { defined } from '../experiment/defined.ts';
import { fileNameOf } from '../experiment/run/run-folder.ts';
import { type LogChoice, logRun, type LogRun } from '../formats/logs/log-run.ts';
import { readLogs } from '../formats/logs/read-logs.ts';
import type { ScoreLog } from '../formats/logs/score-log.ts';
import type { RunNaming } from '../score/run-about.ts';
import { scoreToFolder, type FolderOptions } from '../score/score-to-folder.ts';
import type { Run } from '../score/run.ts';
import type { Texts } from './html/report-data.ts';
import { reportFiles } from './html/watch-report.ts';

export interface ImportLogOptions extends LogChoice, Pick<FolderOptions, 'ledger' | 'onOpen'>, RunNaming {
  /** The run folder; with several systems in the logs, the folder that gets one run folder for each. */
  readonly out: string;
  /** The tool whose logs they are; without it they are recognised by what they hold. */
  readonly format?: string;
  /** How much of the texts report.html holds: `full` unless told otherwise; `off`: no report.html. */
  readonly texts?: Texts | 'off';
  readonly progress?: (system: string, share: number) => void;
}

/** A run that was made from a log. */
export interface ImportedRun extends Pick<ScoreLog, 'system' | 'tool' | 'version' | 'task' | 'model' | 'notices'> {
  readonly folder: string;
  readonly run: Run;
  readonly audit: Audit | null;
  /** Scores of the log that are no measures, with the reason. */
  readonly leftOut: LogRun['leftOut'];
  /** Scores whose direction is unknown: higher is assumed. */
  readonly assumed: LogRun['assumed'];
  /** What the log itself states, next to what its samples give. */
  readonly reported: readonly ReportedComparison[];
}

const LONGEST_FOLDER = 80;
const MOST_RUNS = 200;

/**
 * Makes runs of the logs of other evaluation tools: each score of a log is a measure, each of its samples a case. All logs
 * are read before anything is written.
 *
 * @example const [imported] = await importLog('logs/popularity.eval', { out: 'runs/popularity' })
 */
export async function importLog(
  logs: string | Source | readonly (string | Source)[],
  { out, format, texts = 'full', ledger, onOpen, progress, name, note, tags, ...choice }: ImportLogOptions,
): Promise<ImportedRun[]> {
  const sources = [logs].flat().map((one) => (typeof one === 'string' ? sourceOf(one) : one));
  if (sources.length === 0) throw new UsageError('no log was given', 'name the file that the tool wrote');
  refuseTwice(sources);
  const read = await readLogs(sources, format);
  if (read.length > MOST_RUNS)
    throw new UsageError(
      `the logs are of ${read.length} systems, at most ${MOST_RUNS} runs are made`,
      'import them in parts',
    );
  const made: { readonly log: ScoreLog; readonly own: LogRun }[] = [];
  for (const log of read) made.push({ log, own: await logRun(log, choice) });
  const folders = foldersOf(out, read);
  const imported: ImportedRun[] = [];
  for (const [at, { log, own }] of made.entries()) {
    const folder = folders[at]!;
    const { system, tool, version, task, model, notices } = log;
    let audit: Audit | null = null;
    const run = await scoreToFolder(own.plan, own.cases, {
      out: folder,
      set: choice.set ?? [],
      sink: { intervals: (share) => progress?.(system, share) },
      watch: reportFiles({ texts, onAudit: (found) => void (audit = found) }),
      ...defined({ ledger, onOpen, name, note, tags }),
    });
    const { leftOut, assumed } = own;
    const reported = reportedComparisons(run);
    imported.push({ system, tool, version, task, model, notices, folder, run, audit, leftOut, assumed, reported });
  }
  return imported;
}

function refuseTwice(sources: readonly Source[]): void {
  const places = sources.map(({ name, path }) => path ?? name);
  const twice = sources.find((_, at) => places.indexOf(places[at]!) < at);
  if (twice !== undefined) throw new UsageError(`${twice.name} was given twice`, 'name each log once');
}

/** The folder itself, or one below it for each system, called after it. */
function foldersOf(out: string, logs: readonly ScoreLog[]): string[] {
  if (logs.length === 1) return [out];
  if (existsSync(join(out, 'manifest.json')))
    throw new UsageError(
      `${out} holds the run of one system, and several systems get a folder each inside`,
      'name another folder with --out, or remove this one',
    );
  // Some disks take Rag and rag for the same.
  const taken = new Set<string>();
  return logs.map(({ system }) => {
    const plain = (fileNameOf(system) || 'system').slice(0, LONGEST_FOLDER);
    let name = plain;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${plain}-${number}`;
    taken.add(name.toLowerCase());
    return join(out, name);
  });
}
