import { join, resolve } from 'node:path';

import { renderTerminal, UsageError } from '../plugin.ts';
import { type Comparison, type Plan, readRun, type Run } from '../index.ts';
import { namedMeasures, runFolder } from '../pipeline.ts';
import type { Terminal } from './command.ts';
import { comparedMeasures, MEASURE } from './comparison-flags.ts';
import * as flag from './flags.ts';
import { type TextsFlags, textsOf } from './texts-flags.ts';

export const BASELINE_FLAGS = {
  baseline: flag.string('<run>', 'earlier run folder to compare with, here and in report.html'),
  measure: { ...MEASURE, about: `with --baseline: ${MEASURE.about}` },
  force: flag.toggle('compare with the baseline even if the runs were scored differently'),
};

export type BaselineFlags = TextsFlags &
  flag.FlagValues<typeof BASELINE_FLAGS> & {
    readonly out?: string;
    /** Recipe with custom measures: their code is not in a run folder. */
    readonly recipe?: string;
  };

/** Refuses a baseline that cannot be compared with, before anything is scored. */
export async function refuseBaseline(
  flags: BaselineFlags,
  systems: readonly string[],
  { measures }: Plan,
): Promise<void> {
  const { baseline, out, force, measure } = flags;
  if (baseline === undefined) {
    const alone = force ? '--force' : measure.length > 0 ? '--measure' : null;
    if (alone !== null) throw new UsageError(`${alone} is for a baseline`, 'add --baseline RUN');
    return;
  }
  namedMeasures(measures, measure, 'the recipe has');
  if (out === undefined)
    throw new UsageError('--baseline compares two runs that are kept', 'add --out FOLDER for the new one');
  const folders = systems.length === 1 ? [out] : systems.map((system) => join(out, system));
  if (folders.some((folder) => resolve(runFolder(baseline)) === resolve(folder)))
    throw new UsageError(`${out} is the baseline, which the new run would replace`, 'choose another --out');
  await readRun(baseline);
}

/** Compares a run just scored with its baseline, and writes its report.html again with both in it. */
async function compareWithBaseline(
  folder: string,
  baseline: string,
  flags: BaselineFlags,
  { progress, quiet }: Terminal,
): Promise<Comparison> {
  const { compareRuns } = await import('../pipeline.ts');
  const folders = [baseline, folder];
  const { force, recipe } = flags;
  const comparison = await compareRuns(folders, {
    force,
    slices: true,
    ...flag.defined({ recipe }),
    ...comparedMeasures(flags.measure),
    breathe: (share) => progress.at(share),
  });
  progress.end();
  if (textsOf(flags) !== 'off') {
    // No more of the texts than both reports hold: the baseline's may be redacted.
    const file = join(folder, 'report.html');
    const { writeHtmlReport } = await import('./html-report.ts');
    await writeHtmlReport({
      file,
      flag: '--out',
      folders,
      comparison,
      texts: null,
      cases: null,
      quiet,
      ...flag.defined({ recipe }),
    });
  }
  return comparison;
}

/** Prints how a run differs from its baseline, if one was given; `system` is named if there are several. */
export async function printBaseline(
  { folder }: Run,
  system: string | null,
  flags: BaselineFlags,
  terminal: Terminal,
): Promise<void> {
  if (flags.baseline === undefined) return;
  const comparison = await compareWithBaseline(folder, flags.baseline, flags, terminal);
  const { baselineDocument } = await import('../report.ts');
  terminal.print(`\n${renderTerminal(baselineDocument(comparison, { ...flags, system }), terminal.style)}`);
}
