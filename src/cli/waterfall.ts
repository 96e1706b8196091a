import { Command, Option } from 'commander';

import { UsageError } from '../data/problems.ts';
import { suggestion } from '../prepare/setting-error.ts';
import { planFor } from '../experiment/run/scorer.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { reviewedPlan } from '../review/evaluation.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { waterfallFigure } from '../report/svg/waterfall-figure.ts';
import { waterfallDocument } from '../report/waterfall.ts';
import { openSystems, refuseUse } from '../formats/case-formats.ts';
import { waterfallOf } from '../compare/waterfall/make-waterfall.ts';
import type { Waterfall } from '../compare/waterfall/waterfall.ts';
import { dataFlags } from './data-flags.ts';
import { Progress } from './progress.ts';
import { isRunFolder } from './run-folder-given.ts';
import { refuseSources } from './scored-run.ts';
import { reviewsOf } from './reviews-of.ts';
import { gathered, scoredFiles, type SourceFlags, sourceOptions, totalBytes } from './scored-sources.ts';
import { waterfallOfRun } from './waterfall-run.ts';
import { outFiles } from './write-whole.ts';

interface WaterfallFlags extends SourceFlags {
  readonly measure?: string;
  readonly moves?: string | true;
  readonly out?: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const WRITERS: Readonly<Record<string, (found: Waterfall, measure?: string) => string>> = {
  '.svg': waterfallFigure,
  '.json': (found) => safeJson(found),
  '.md': (found, measure) => renderMarkdown(waterfallDocument(found, { measure: measure ?? null })),
};

export function waterfallCommand(): Command {
  const command = new Command('waterfall').argument(
    '<recipe>',
    'preset, recipe file, or folder of a run; assay score --help lists the presets',
  );
  return sourceOptions(command, 'model output')
    .option('--measure <name>', 'follow this measure of the recipe, and draw it')
    .option('--moves [n]', 'show so many moved items of each step (default: 3; without a number: 50; 0: none)')
    .option('--json', 'print the waterfall as JSON on standard output, everything else on standard error')
    .addOption(
      new Option('--out <file>', `write a file: ${Object.keys(WRITERS).join(', ')}; repeatable`).argParser(gathered),
    )
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(waterfall);
}

const HELP = `
The first row is strict matching: same label, same boundaries or text, no rule of
the recipe but those without which there is nothing to score. Each row after it
adds one rule, in the order the data flows; the last row is the score. Then each
rule alone is taken away from the whole recipe, since order matters.

Examples:
  $ assay waterfall pii/piranha --cases docs.json
  $ assay waterfall runs/first
  $ assay waterfall graph/as-coded --gold items.jsonl --predictions out.jsonl \\
      --measure overall_quality --out waterfall.svg
  $ assay waterfall journal/ashwam --cases journals.jsonl --gold gold.jsonl \\
      --predictions p.jsonl --set pair.normalise=[lower] --moves 10
  $ assay waterfall consult/ayurmind --cases cases.csv --predictions a.jsonl \\
      --reviews reviews.csv --json`;

async function waterfall(given: string, flags: WaterfallFlags): Promise<void> {
  const write = outFiles(flags.out ?? [], WRITERS);
  const moves = movesOf(flags.moves);
  const found = isRunFolder(given) ? await ofRun(given, flags) : await ofRecipe(given, flags);
  const measure = measureOf(
    found.measures.map(({ name }) => name),
    flags.measure,
  );
  write(found, measure ?? undefined);
  if (flags.json === true) process.stdout.write(safeJson(found));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  const document = waterfallDocument(found, { measure, ...(moves === null ? {} : { moves }) });
  stream.write(renderTerminal(document, terminalStyle(stream)));
}

async function ofRun(folder: string, flags: WaterfallFlags): Promise<Waterfall> {
  refuseSources(flags);
  return waterfallOfRun(folder, (plan, own) => withProgress(plan, own, flags.quiet === true));
}

async function ofRecipe(recipe: string, flags: WaterfallFlags): Promise<Waterfall> {
  const set = [...(flags.set ?? []), ...dataFlags(flags)];
  const plan = flags.run === undefined ? await planRecipe(recipe, set) : await planFor(recipe, set);
  // Before the work and not after it.
  measureOf(
    plan.measures.map(({ name }) => name),
    flags.measure,
  );
  return withProgress(plan, flags, flags.quiet === true);
}

async function withProgress(plan: Plan, flags: SourceFlags, quiet: boolean): Promise<Waterfall> {
  refuseUse('waterfall', plan, plan.name);
  const files = await scoredFiles(plan, flags);
  if (files.systems.length > 1)
    throw new UsageError(
      `--predictions was given ${files.systems.length} times: a waterfall is of one system`,
      'give --predictions FILE once',
    );
  const progress = new Progress(process.stderr, totalBytes(files), quiet);
  try {
    const opened = await openSystems(progress.counting(files), plan);
    const reviewed = reviewedPlan(plan, await reviewsOf(flags, opened));
    return await waterfallOf(reviewed.plan, opened.systems[0]!.read(reviewed.plan, reviewed.reviews));
  } finally {
    progress.end();
  }
}

function measureOf(names: readonly string[], asked: string | undefined): string | null {
  if (asked === undefined || names.includes(asked)) return asked ?? null;
  throw new UsageError(`--measure ${asked}: the recipe has no such measure`, suggestion(asked, names, 'it has'));
}

const ALL_MOVES = 50;

function movesOf(given: WaterfallFlags['moves']): number | null {
  if (given === undefined) return null;
  if (given === true) return ALL_MOVES;
  if (/^\d+$/.test(given) && Number(given) <= ALL_MOVES) return Number(given);
  throw new UsageError(`--moves ${given}: expected a whole number from 0 to ${ALL_MOVES}`);
}
