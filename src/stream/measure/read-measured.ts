import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { readCaseResults, readRun, type Run, signatureDifferences, signatureParts } from '../../index.ts';
import { compareNatural, errorCode, suggestion, UsageError } from '../../plugin.ts';
import type { CaseResult } from '../../recipe.ts';

/** A measured variant, from its folder. */
export interface MeasuredRun {
  readonly name: string;
  readonly run: Run;
  readonly cases: readonly CaseResult[];
}

export interface MeasuredRuns {
  readonly runs: readonly MeasuredRun[];
  /** What keeps them from being comparable, if that was allowed. */
  readonly apart: readonly string[];
}

/** The variants of a folder that `stream measure` wrote: those that are named, in that order, or all. */
export async function readMeasuredRuns(
  folder: string,
  names: readonly string[] | null,
  force: boolean,
): Promise<MeasuredRuns> {
  const folders = runFolders(folder);
  const runs: MeasuredRun[] = [];
  for (const name of names ?? folders) {
    if (!folders.includes(name))
      throw new UsageError(`there is no variant ${name} in ${folder}`, suggestion(name, folders, 'variants'));
    const place = join(folder, name);
    const run = await readRun(place);
    if (run.manifest.task !== 'stream')
      throw new UsageError(
        `${place} is a run of the task ${run.manifest.task}, expected stream`,
        'name the folder that assay stream measure --out made, or choose with --variants',
      );
    const cases: CaseResult[] = [];
    for await (const result of readCaseResults(place)) cases.push(result);
    runs.push({ name, run, cases });
  }
  return { runs, apart: comparedAlike(runs, force) };
}

function runFolders(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new UsageError(
      `${folder}: cannot be read (${errorCode(error)})`,
      'name the folder that assay stream measure --out made',
    );
  }
  const folders = entries
    .filter(({ name }) => !/\.(?:partial|replaced)-\d+$/.test(name) && isFile(join(folder, name, 'manifest.json')))
    .map(({ name }) => name)
    .sort(compareNatural);
  if (folders.length > 0) return folders;
  if (isFile(join(folder, 'manifest.json')))
    throw new UsageError(
      `${folder} is the run of one variant, expected the folder of all`,
      `to draw it alone: ${dirname(folder)} --variants ${basename(folder)}`,
    );
  throw new UsageError(
    `${folder}: there are no measured variants`,
    'expected folders such as V0 with a manifest.json; assay stream measure --out makes them',
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Numbers made by different extractors or rules do not belong in one figure; cases may differ, which is reported. */
function comparedAlike(runs: readonly MeasuredRun[], force: boolean): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  return others.flatMap(({ name, run }) => {
    const differences = signatureDifferences(first.run.manifest, run.manifest);
    if (differences.length === 0) return [];
    if (!force && withoutGold(first.run) !== withoutGold(run))
      throw new UsageError(
        `${first.name} and ${name} were not measured alike: ${differences.join('; ')}`,
        'measure them again together, leave one out with --variants, or insist with --force',
      );
    return [`${first.name} and ${name} were not measured alike: ${differences.join('; ')}.`];
  });
}

function withoutGold({ manifest }: Run): string {
  return [...signatureParts(manifest.comparable)]
    .filter(([part]) => part !== 'gold')
    .map((part) => part.join(':'))
    .join('|');
}
