import { Command, Option } from 'commander';

import { UsageError } from '../data/problems.ts';
import { planRecipe } from '../recipe/plan.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { recipeSweepCsv } from '../report/sweep-csv.ts';
import { recipeSweepJson } from '../report/sweep-json.ts';
import { recipeSweepDocument } from '../report/sweep.ts';
import { recipeSweepFigure } from '../report/svg/sweep-figure.ts';
import { type Sweep, sweepRecipe } from '../compare/sweep/sweep.ts';
import { type DataFlags, dataFlags } from './data-flags.ts';
import { Progress } from './progress.ts';
import { isRunFolder } from './run-folder-given.ts';
import { runToSweep } from './sweep-run.ts';
import { fileOptions, gathered, scoredFiles, sourcesOfSystems, totalBytes } from './scored-sources.ts';
import { outFiles } from './write-whole.ts';

interface SweepFlags extends DataFlags {
  readonly over?: readonly string[];
  readonly cases?: string;
  readonly gold?: string;
  readonly predictions?: readonly string[];
  readonly set?: readonly string[];
  readonly measure?: readonly string[];
  readonly out?: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const WRITERS: Readonly<Record<string, (sweep: Sweep) => string>> = {
  '.svg': recipeSweepFigure,
  '.csv': recipeSweepCsv,
  '.json': recipeSweepJson,
  '.md': (found) => renderMarkdown(recipeSweepDocument(found)),
};

export function sweepCommand(): Command {
  const command = new Command('sweep')
    .argument('<recipe>', 'preset, recipe file, or folder of a run; assay score --help lists the presets')
    .addOption(
      new Option('--over <path=range>', 'parameter and its values; twice for a grid')
        .argParser(gathered)
        .makeOptionMandatory(),
    );
  return fileOptions(command, 'model output; repeatable, also as NAME=FILE: each system is compared with the first')
    .addOption(
      new Option('--measure <list>', 'which measures, for example f1,recall; the first is drawn').argParser(gathered),
    )
    .option('--json', 'print the sweep as JSON on standard output, everything else on standard error')
    .addOption(
      new Option('--out <file>', `write a file: ${Object.keys(WRITERS).join(', ')}; repeatable`).argParser(gathered),
    )
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(sweep);
}

const HELP = `
Ranges:
  0.1..0.9           in steps of the last decimal place written: nine values
  0..1:0.25          with a step: 0, 0.25, 0.5, 0.75, 1
  greedy,optimal     a list of values of any kind; on,off for a rule
  {LOC: 0.3},{LOC: 0.5}
At most 101 values, and 441 points in a grid. Values and intervals are those of
assay score with --set path=value; with several systems also where a conclusion
flips. A data.* parameter changes what is read: the files are read for each value.

Examples:
  $ assay sweep journal/ashwam --over pair.threshold=0.1..0.9 \\
      --cases journals.jsonl --gold gold.jsonl --predictions p.jsonl
  $ assay sweep runs/first --over pair.threshold=0.1..0.9
  $ assay sweep pii/iou --over pair.threshold=0.1..0.9 --gold gold.jsonl \\
      --predictions old=a.jsonl --predictions new=b.jsonl --out sweep.svg
  $ assay sweep pii/piranha --cases docs.json --over pair.threshold.LOC=0.1..0.9 \\
      --over judge.excuse-overlap.share=0..1:0.25 --measure f1
  $ assay sweep graph/openspec --gold items.jsonl --predictions out.jsonl \\
      --over pair.assign=greedy,in-order,optimal`;

async function sweep(given: string, asked: SweepFlags): Promise<void> {
  const { recipe, flags } = isRunFolder(given) ? await runToSweep(given, asked) : { recipe: given, flags: asked };
  const set = [...(flags.set ?? []), ...dataFlags(flags)];
  const write = outFiles(flags.out ?? [], WRITERS);
  const plan = await planRecipe(recipe, set);
  const files = await scoredFiles(plan, flags);
  const progress = new Progress(process.stderr, totalBytes(files), flags.quiet === true);
  const systems = sourcesOfSystems(progress.counting(files));
  const found = await sweepRecipe({
    recipe,
    over: flags.over ?? [],
    systems: flags.predictions === undefined ? systems.map((one) => ({ ...one, name: 'system' })) : systems,
    set,
    ...(flags.measure === undefined ? {} : { measures: flags.measure.flatMap(namesOf) }),
    breathe: async (share) => {
      progress.part('intervals', share);
      // Lets an interrupt be heard.
      await new Promise((resume) => setImmediate(resume));
    },
  }).finally(() => progress.end());
  write(found);
  if (flags.json === true) process.stdout.write(recipeSweepJson(found));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(renderTerminal(recipeSweepDocument(found), terminalStyle(stream)));
}

/** Names between commas; none at all is a slip. */
function namesOf(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new UsageError(`--measure ${list}: expected names between commas`, 'for example --measure f1,recall');
  return names;
}
