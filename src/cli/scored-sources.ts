import { statSync } from 'node:fs';

import { type Command, Option } from 'commander';

import { FORMATS } from '../data/formats.ts';
import { UsageError } from '../data/problems.ts';
import type { CaseSources } from '../data/read-cases.ts';
import { type Source, sourceOf } from '../data/source.ts';
import type { SystemFiles } from '../formats/case-format.ts';
import { formatOf } from '../formats/case-formats.ts';
import type { Plan } from '../recipe/plan.ts';
import type { DataFlags } from './data-flags.ts';
import { nameOfFile, namedFile, systemFiles } from './system-file.ts';

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
    .addOption(
      new Option(
        '--reviews <file>',
        'what reviewers said, for recipes with a review form; may be given again',
      ).argParser(gathered),
    )
    .option('--review <name>', 'what reviewers said, from the review of this name in the store')
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

/** The files that were named, or those that a run of an experiment left: one system's, or several systems'. */
export async function scoredFiles(plan: Plan, flags: SourceFlags): Promise<SystemFiles> {
  const { goldIs, answered } = formatOf(plan);
  const { cases, gold, predictions = [], run } = flags;
  if (gold !== undefined && goldIs !== null)
    throw new UsageError(`--gold is not for ${plan.task} recipes`, `${goldIs}, or comes with --reviews`);
  if (run !== undefined) return outputsOf(plan, run, flags);
  if (answered !== undefined) {
    if (cases === undefined)
      throw new UsageError(`a ${plan.task} recipe needs the cases`, 'give --cases FILE, a CSV with id and scenario');
    if (predictions.length === 0)
      throw new UsageError(`a ${plan.task} recipe needs the answers`, 'give --predictions FILE, once for each system');
  } else if (cases === undefined && gold === undefined)
    throw new UsageError(
      'nothing to score: no case file and no gold file',
      'give --cases FILE, or --gold FILE with --predictions FILE',
    );
  const [only] = predictions;
  const systems = predictions.length === 1 ? [namedFile(only!)] : systemFiles(predictions);
  if ([cases, gold, ...systems.map(({ path }) => path)].filter((path) => path === '-').length > 1)
    throw new UsageError('standard input (-) can be read once only', 'give the other file by name');
  const open = (path: string | undefined): Source | undefined => (path === undefined ? undefined : sourceOf(path));
  const inside = { system: plan.data.system ?? nameOfFile(cases ?? gold ?? ''), source: undefined };
  return {
    cases: open(cases),
    gold: open(gold),
    systems: systems.length === 0 ? [inside] : systems.map(({ system, path }) => ({ system, source: sourceOf(path) })),
  };
}

/** Each system's files with those that all share. */
export function sourcesOfSystems({ cases, gold, systems }: SystemFiles): { name: string; sources: CaseSources }[] {
  return systems.map(({ system: name, source: predictions }) => ({ name, sources: { cases, gold, predictions } }));
}

/** The files of a run of an experiment. */
async function outputsOf(plan: Plan, folder: string, { cases, gold, predictions }: SourceFlags): Promise<SystemFiles> {
  if (cases !== undefined || gold !== undefined || predictions !== undefined)
    throw new UsageError('--run brings its own items and outputs', 'leave --cases, --gold and --predictions out');
  const { system, items, outputs } = (await import('./run-answers.ts')).runAnswers(plan, folder);
  return { cases: items, systems: [{ system, source: outputs }] };
}

/** How many bytes there are to read, as far as that is known beforehand. */
export function totalBytes({ cases, gold, systems }: SystemFiles): number {
  let total = 0;
  for (const source of systems.flatMap((one) => [cases, gold, one.source]))
    if (typeof source?.path === 'string') total += statSync(source.path, { throwIfNoEntry: false })?.size ?? 0;
  return total;
}
