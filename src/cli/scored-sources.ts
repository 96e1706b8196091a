import { existsSync, statSync } from 'node:fs';

import { type Source, sourceOf, UsageError } from '../plugin.ts';
import type { CaseSources, Plan, SystemFiles } from '../index.ts';
import { formatOf, planRecipe, presetNamed } from '../pipeline.ts';
import { DATA_FLAG } from './backend-of.ts';
import { DATA_FLAGS } from './data-flags.ts';
import * as flag from './flags.ts';
import { type Progress, watchBytes } from './progress.ts';
import { answerFiles, nameOfFile, systemFiles } from './system-file.ts';

/** Flags of every command that reads cases, gold and predictions; `predictions` explains what several of them mean. */
export function fileFlags(predictions: string) {
  return {
    cases: flag.inputFiles('texts, possibly with gold and predictions inside; - is standard input'),
    gold: flag.inputFiles('gold annotations; - is standard input'),
    predictions: flag.strings('<file>', predictions),
    ...DATA_FLAGS,
  };
}

/** Those, and the flags for reviews and for the run of an experiment. */
export function sourceFlags(predictions: string) {
  return {
    ...fileFlags(predictions),
    reviews: flag.strings('<file>', 'reviews of the output, for recipes with a review form'),
    review: flag.string('<name>', 'name of a review in the store whose answers are used'),
    data: DATA_FLAG,
    run: flag.string('<folder>', 'run folder of assay run, to score its output again without a call'),
  };
}

/** What is scored, as the flags or a run name it. */
export type SourceFlags = Omit<
  flag.FlagValues<ReturnType<typeof fileFlags>>,
  'cases' | 'gold' | 'predictions' | 'set'
> & {
  readonly cases?: readonly string[];
  readonly gold?: readonly string[];
  readonly predictions?: readonly string[];
  readonly set?: readonly string[];
  readonly reviews?: readonly string[];
  readonly review?: string;
  readonly data?: string;
  readonly run?: string;
};

/** Whether a folder was named in place of a recipe. A preset goes before a folder of the same name. */
export function isRunFolder(given: string): boolean {
  return presetNamed(given) === null && existsSync(given) && statSync(given).isDirectory();
}

/** With a run, flags that name files or change how they are scored would go unheard. */
export function refuseSources(flags: SourceFlags): void {
  const { cases, gold, predictions, reviews, review, run, set, format, offsets, columns, system } = flags;
  const sources = { cases, gold, predictions, reviews, review, run, set, format, offsets, columns, system };
  const written = Object.entries(sources).find(([, value]) => value !== undefined && value.length > 0);
  if (written !== undefined)
    throw new UsageError(
      `--${written[0]}: a run already defines what is scored and how`,
      'name the recipe instead of the folder to score something else',
    );
}

/** Refuses a call without files before a module of the recipe runs. */
export function refuseNoFiles({ cases = [], gold = [], run }: SourceFlags): void {
  if (cases.length + gold.length > 0 || run !== undefined) return;
  throw new UsageError(
    'nothing to score: no case file and no gold file',
    'give --cases FILE, or --gold FILE with --predictions FILE',
  );
}

/** The plan of a recipe, for files or for the items and outputs of a run of an experiment. */
export async function planOf(recipe: string, set: readonly string[], run: string | undefined): Promise<Plan> {
  return run === undefined ? planRecipe(recipe, set) : (await import('../experiment.ts')).planFor(recipe, set);
}

/** The files that were named, or those that a run of an experiment left: one system's, or several systems'. */
export async function scoredFiles(plan: Plan, flags: SourceFlags, note: (line: string) => void): Promise<SystemFiles> {
  const { goldIs, answered } = formatOf(plan);
  const { cases = [], gold = [], predictions = [], run } = flags;
  if (gold.length > 0 && goldIs !== null)
    throw new UsageError(`--gold is not for ${plan.task} recipes`, `${goldIs}, or is given by --reviews`);
  if (run !== undefined) return outputsOf(plan, run, flags);
  if (answered !== undefined) {
    if (cases.length === 0)
      throw new UsageError(`a ${plan.task} recipe needs the cases`, 'give --cases FILE, a CSV with id and scenario');
    if (predictions.length === 0)
      throw new UsageError(`a ${plan.task} recipe needs the answers`, 'give --predictions FILE, once for each system');
  } else refuseNoFiles(flags);
  const systems = systemFiles(answered === undefined ? predictions : answerFiles(predictions, note));
  if ([...cases, ...gold, ...systems.flatMap(({ paths }) => paths)].filter((path) => path === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other file by name');
  const open = (paths: readonly string[]): Source | undefined => (paths.length === 0 ? undefined : sourceOf(...paths));
  const inside = { system: plan.data.system ?? nameOfFile(cases[0] ?? gold[0] ?? ''), source: undefined };
  return {
    cases: open(cases),
    gold: open(gold),
    systems: systems.length === 0 ? [inside] : systems.map(({ system, paths }) => ({ system, source: open(paths) })),
  };
}

/** Each system's files with those that all share. */
export function sourcesOfSystems({ cases, gold, systems }: SystemFiles): { name: string; sources: CaseSources }[] {
  return systems.map(({ system: name, source: predictions }) => ({ name, sources: { cases, gold, predictions } }));
}

/** The files of a run of an experiment. */
async function outputsOf(
  plan: Plan,
  folder: string,
  { cases = [], gold = [], predictions = [] }: SourceFlags,
): Promise<SystemFiles> {
  if (cases.length + gold.length + predictions.length > 0)
    throw new UsageError('--run brings its own items and outputs', 'leave --cases, --gold and --predictions out');
  const { system, items, outputs } = (await import('../experiment.ts')).runAnswers(plan, folder);
  return { cases: items, systems: [{ system, source: outputs }] };
}

/** The same files, with a progress bar of the bytes that are read. */
export function withProgress({ cases, gold, systems }: SystemFiles, progress: Progress): SystemFiles {
  const watch = watchBytes(
    systems.flatMap(({ source }) => [cases, gold, source]),
    progress,
  );
  const watched = (source: Source | undefined): Source | undefined => source && watch(source);
  return {
    cases: watched(cases),
    gold: watched(gold),
    systems: systems.map(({ system, source }) => ({ system, source: watched(source) })),
  };
}
