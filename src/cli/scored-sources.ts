import { existsSync, statSync } from 'node:fs';

import { type Command, Option } from 'commander';

import { FORMATS } from '../data/formats.ts';
import { UsageError } from '../data/problems.ts';
import type { CaseSources } from '../data/read-cases.ts';
import { type Source, sourceOf } from '../data/source.ts';
import { runFiles } from '../experiment/run/run-files.ts';
import { scorableOutputs } from '../experiment/run/scorable-outputs.ts';
import type { Plan } from '../recipe/plan.ts';
import type { DataFlags } from './data-flags.ts';

/** The flags that say what is scored, alike in every command that scores. */
export interface SourceFlags extends DataFlags {
  readonly cases?: string;
  readonly gold?: string;
  readonly predictions?: readonly string[];
  readonly reviews?: readonly string[];
  readonly review?: string;
  readonly data?: string;
  readonly run?: string;
  readonly set?: readonly string[];
}

/** Adds the flags; `predictions` says what several of them mean. */
export function sourceOptions(command: Command, predictions: string): Command {
  return fileOptions(command, predictions)
    .addOption(new Option('--reviews <file>', 'consult: what experts said; may be given again').argParser(gathered))
    .option('--review <name>', 'consult: what experts said, from the review of this name in the store')
    .option('--data <folder>', 'of the local store (default: ASSAY_DATA, or .assay)')
    .option('--run <folder>', 'items and outputs that assay run left: scored again, without a call');
}

/** Those of them that name files and say how to read them. */
export function fileOptions(command: Command, predictions: string): Command {
  return command
    .option('--cases <file>', 'the texts, possibly with gold and predictions inside; - is standard input')
    .option('--gold <file>', 'what is right')
    .addOption(new Option('--predictions <file>', predictions).argParser(gathered))
    .addOption(
      new Option('--set <path=value>', 'change one line of the recipe; may be given again').argParser(gathered),
    )
    .addOption(
      new Option(
        '--format <name>',
        `format of the files (default: detected): ${FORMATS.map((format) => format.name).join(', ')}`,
      ),
    )
    .addOption(new Option('--offsets <unit>', 'unit of span offsets').choices(['codepoint', 'utf16', 'byte']))
    .option('--columns <map>', 'CSV columns, for example id=document,start=from,end=to,label=category')
    .option('--system <name>', 'whose <name>_detected_pii to score, where documents have several');
}

export function gathered(value: string, all: readonly string[] | undefined): readonly string[] {
  return [...(all ?? []), value];
}

/** The files that a recipe of one system at a time scores: those that were named, or those of a run of an experiment. */
export function scoredSources(plan: Plan, flags: SourceFlags): CaseSources {
  refuseReviews(plan, flags);
  return flags.run === undefined ? sourcesOf(flags) : outputsOf(plan, flags.run, flags);
}

/** What only consultations have. */
function refuseReviews(plan: Plan, { reviews, review, predictions = [] }: SourceFlags): void {
  if (reviews !== undefined || review !== undefined)
    throw new UsageError(`reviews are scored by consult recipes, and ${plan.name} is for ${plan.task}`);
  if (predictions.length > 1)
    throw new UsageError(
      `--predictions was given ${predictions.length} times, and a ${plan.task} recipe scores one system at a time`,
      'score each into a folder of its own, then assay compare',
    );
}

function sourcesOf({ predictions: files, ...flags }: SourceFlags): CaseSources {
  const predictions = files?.[0];
  const given = [flags.cases, flags.gold, predictions];
  if (given.filter((path) => path === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other file by name');
  if (flags.cases === undefined && flags.gold === undefined) {
    throw new UsageError(
      'nothing to score: no case file and no gold file',
      'give --cases FILE, or --gold FILE with --predictions FILE',
    );
  }
  const open = (path: string | undefined): Source | undefined => (path === undefined ? undefined : sourceOf(path));
  return { cases: open(flags.cases), gold: open(flags.gold), predictions: open(predictions) };
}

/** The files of a run of an experiment. */
function outputsOf(plan: Plan, folder: string, { cases, gold, predictions }: SourceFlags): CaseSources {
  if (cases !== undefined || gold !== undefined || predictions !== undefined)
    throw new UsageError('--run brings its own items and outputs', 'leave --cases, --gold and --predictions out');
  const { items, outputs } = runFiles(folder, 1, 1);
  if (existsSync(items) && existsSync(outputs))
    return { cases: sourceOf(items), predictions: scorableOutputs(plan, items, outputs) };
  const several = runFiles(folder, 1, 2);
  throw new UsageError(
    `${folder} holds no outputs of assay run`,
    existsSync(several.outputs)
      ? `it has several repeats: --cases ${several.items} --predictions ${several.outputs}`
      : 'name the folder of a run that has finished',
  );
}

/** How many bytes there are to read, as far as that is known beforehand. */
export function totalBytes(sources: CaseSources): number {
  let total = 0;
  for (const source of [sources.cases, sources.gold, sources.predictions]) {
    if (source?.path === undefined || source.path === null) continue;
    total += statSync(source.path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return total;
}
