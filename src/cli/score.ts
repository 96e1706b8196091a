import { existsSync, statSync } from 'node:fs';

import { Command, Option } from 'commander';

import { FORMATS } from '../data/formats.ts';
import { UsageError } from '../data/problems.ts';
import type { CaseSources } from '../data/read-cases.ts';
import { type Source, sourceOf } from '../data/source.ts';
import { planFor } from '../experiment/run/scorer.ts';
import { scorableOutputs } from '../experiment/run/scorable-outputs.ts';
import { runFiles } from '../experiment/run/run-files.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetAbout, presetNames } from '../recipe/presets.ts';
import { definitionList } from '../report/definition-list.ts';
import { markdownReport } from '../report/markdown.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/style.ts';
import { summaryText } from '../report/summary.ts';
import { caseReader } from '../runs/case-reader.ts';
import type { Run } from '../runs/run.ts';
import { type FolderOptions, scoreToFolder } from '../runs/score-to-folder.ts';
import { scoreToRun } from '../runs/score-to-run.ts';
import { perJournalScore, scoreSummary } from '../tasks/journal/legacy-files.ts';
import { type DataFlags, dataFlags } from './data-flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { Progress } from './progress.ts';

interface ScoreFlags extends DataFlags {
  readonly cases?: string;
  readonly gold?: string;
  readonly predictions?: readonly string[];
  readonly reviews?: readonly string[];
  readonly review?: string;
  readonly data?: string;
  readonly run?: string;
  readonly out?: string;
  readonly set?: readonly string[];
  readonly legacyFiles?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function scoreCommand(): Command {
  return new Command('score')
    .description('score predictions against gold by a recipe: a preset or a YAML file')
    .argument('<recipe>', 'preset (see below) or recipe file')
    .option('--cases <file>', 'the texts, possibly with gold and predictions inside; - is standard input')
    .option('--gold <file>', 'what is right')
    .addOption(
      new Option(
        '--predictions <file>',
        'what the system said; consult: may be given again, also as NAME=FILE',
      ).argParser(gathered),
    )
    .addOption(new Option('--reviews <file>', 'consult: what experts said; may be given again').argParser(gathered))
    .option('--review <name>', 'consult: what experts said, from the review of this name in the store')
    .option('--data <folder>', 'of the local store (default: ASSAY_DATA, or .assay)')
    .option('--run <folder>', 'items and outputs that assay run left: scored again, without a call')
    .option('--out <folder>', 'write the run folder (ledger, measures, report) here')
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
    .option('--system <name>', 'whose <name>_detected_pii to score, where documents have several')
    .option('--legacy-files', 'journal: also write score_summary.json and per_journal_scores.jsonl')
    .option('--json', 'print measures.json on standard output, everything else on standard error')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', () => helpText())
    .action(score);
}

function gathered(value: string, all: readonly string[] | undefined): readonly string[] {
  return [...(all ?? []), value];
}

function helpText(): string {
  const presets = presetNames().map((name): [string, string] => [name, presetAbout(name)]);
  return `
Presets:
${definitionList(presets, terminalStyle(process.stdout).width).join('\n')}

Examples:
  $ assay score journal/ashwam --cases journals.jsonl --gold gold.jsonl \\
      --predictions p.jsonl --out runs/a
  $ assay score pii/piranha --cases docs.json --out runs/b
  $ assay score graph/openspec --gold items.jsonl --predictions out.jsonl \\
      --set pair.assign=optimal
  $ assay score pii/strict --gold gold.csv --predictions pred.csv \\
      --columns id=document,start=from,end=to,label=category
  $ assay score pii/piranha --cases docs.json --set judge.loc-in-org=off
  $ assay score graph/as-coded --run runs/baseline-v1
  $ assay score consult/ayurmind --cases cases.csv --predictions vanilla.jsonl \\
      --predictions ayurmind.jsonl --reviews reviews.csv --out runs/consult`;
}

async function score(recipe: string, flags: ScoreFlags): Promise<void> {
  const set = [...(flags.set ?? []), ...dataFlags(flags)];
  if (flags.legacyFiles === true && flags.out === undefined)
    throw new UsageError('--legacy-files are written to the run folder', 'add --out FOLDER');
  const plan = flags.run === undefined ? await planRecipe(recipe, set) : await planFor(recipe, set);
  if (plan.task === 'consult') {
    const { scoreConsultations } = await import('./score-consult.ts');
    return scoreConsultations(plan, set, flags);
  }
  refuseReviews(plan, flags);
  const sources = flags.run === undefined ? sourcesOf(flags) : outputsOf(plan, flags.run, flags);
  const run = await scoreWithProgress(plan, sources, set, flags);
  if (flags.json === true) process.stdout.write(safeJson(run.measures));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(summaryText(run, terminalStyle(stream)));
  if (flags.out === undefined)
    stream.write('Nothing was written: --out FOLDER keeps the ledger, the measures and the report.\n');
}

/** What only consultations have. */
function refuseReviews(plan: Plan, { reviews, review, predictions = [] }: ScoreFlags): void {
  if (reviews !== undefined || review !== undefined)
    throw new UsageError(`reviews are scored by consult recipes, and ${plan.name} is for ${plan.task}`);
  if (predictions.length > 1)
    throw new UsageError(
      `--predictions was given ${predictions.length} times, and a ${plan.task} recipe scores one system at a time`,
      'score each into a folder of its own, then assay compare',
    );
}

function sourcesOf({ predictions: files, ...flags }: ScoreFlags): CaseSources {
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
function outputsOf(plan: Plan, folder: string, { cases, gold, predictions }: ScoreFlags): CaseSources {
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

async function scoreWithProgress(
  plan: Plan,
  sources: CaseSources,
  set: readonly string[],
  flags: ScoreFlags,
): Promise<Run> {
  const progress = new Progress(process.stderr, totalBytes(sources), flags.quiet === true);
  const counted = progress.counting(sources);
  const sink = { intervals: (share: number) => progress.part('intervals', share) };
  try {
    if (flags.out === undefined) return await scoreToRun(plan, caseReader(counted, plan), { set, sink });
    const options: FolderOptions = {
      out: flags.out,
      set,
      sink,
      files: { 'report.md': markdownReport },
      onOpen: clearOnInterrupt,
    };
    return await scoreToFolder(
      plan,
      counted,
      flags.legacyFiles === true ? { ...options, ...legacyOptions(plan) } : options,
    );
  } finally {
    progress.end();
  }
}

function legacyOptions(plan: Plan): Pick<FolderOptions, 'files' | 'caseRecords'> {
  if (plan.task !== 'journal') throw new UsageError(`--legacy-files is for journal recipes, not for ${plan.task}`);
  return {
    files: { 'report.md': markdownReport, 'score_summary.json': (run) => scoreSummary(run.measures) },
    caseRecords: { 'per_journal_scores.jsonl': perJournalScore },
  };
}

function totalBytes(sources: CaseSources): number {
  let total = 0;
  for (const source of [sources.cases, sources.gold, sources.predictions]) {
    if (source?.path === undefined || source.path === null) continue;
    total += statSync(source.path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return total;
}
