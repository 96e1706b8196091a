import { join, resolve } from 'node:path';

import type { Command } from 'commander';

import { UsageError } from '../data/problems.ts';
import { compareRuns } from '../compare/compare-runs.ts';
import type { Comparison } from '../compare/comparison.ts';
import { readRun } from '../score/run-file.ts';
import { runFolder } from '../score/run-folder.ts';
import { writeHtmlReport } from './html-report.ts';
import { ShareProgress } from './share-progress.ts';
import { type TextsFlags, textsOf } from './texts-flags.ts';

export interface BaselineFlags extends TextsFlags {
  readonly baseline?: string;
  readonly force?: boolean;
  readonly out?: string;
  readonly quiet?: boolean;
}

export function baselineOptions(command: Command): Command {
  return command
    .option('--baseline <run>', 'an earlier run beside it: what differs, here and in report.html')
    .option('--force', 'set beside the baseline although the runs were not scored alike');
}

/** Says what is wrong with the baseline before anything is scored. */
export async function refuseBaseline(flags: BaselineFlags, systems: readonly string[]): Promise<void> {
  const { baseline, out, force } = flags;
  if (baseline === undefined) {
    if (force === true) throw new UsageError('--force is for a baseline', 'add --baseline RUN');
    return;
  }
  if (out === undefined)
    throw new UsageError('--baseline compares two runs that are kept', 'add --out FOLDER for the new one');
  const folders = systems.length === 1 ? [out] : systems.map((system) => join(out, system));
  if (folders.some((folder) => resolve(runFolder(baseline)) === resolve(folder)))
    throw new UsageError(`${out} is the baseline, which the new run would replace`, 'choose another --out');
  await readRun(baseline);
}

/** Compares a run just scored with its baseline, and makes its report.html anew with both in it. */
export async function setBesideBaseline(folder: string, baseline: string, flags: BaselineFlags): Promise<Comparison> {
  const quiet = flags.quiet === true;
  const folders = [baseline, folder];
  const progress = new ShareProgress(process.stderr, quiet);
  const comparison = await compareRuns(folders, {
    force: flags.force === true,
    slices: true,
    breathe: (share) => progress.at(share),
  }).finally(() => progress.end());
  if (textsOf(flags) !== 'off') {
    // No more of the texts than both reports hold: the baseline's may be redacted.
    const file = join(folder, 'report.html');
    await writeHtmlReport({ file, flag: '--out', folders, comparison, texts: null, cases: null, quiet });
  }
  return comparison;
}
