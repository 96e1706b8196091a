import { renderMarkdown, safeJson, shellWord, UsageError } from '../plugin.ts';
import { readRun, type Sweep } from '../index.ts';
import { planRecipe, refuseUse, sweepRecipe } from '../pipeline.ts';
import { recipeSweepCsv, recipeSweepDocument, recipeSweepFigure, runAgain } from '../report.ts';
import { command } from './command.ts';
import { dataSettings } from './data-flags.ts';
import * as flag from './flags.ts';
import {
  fileFlags,
  isRunFolder,
  refuseSources,
  type SourceFlags,
  scoredFiles,
  sourcesOfSystems,
  withProgress,
} from './scored-sources.ts';
import { outFiles } from './write-whole.ts';

const WRITERS: Readonly<Record<string, (sweep: Sweep) => string>> = {
  '.svg': recipeSweepFigure,
  '.csv': recipeSweepCsv,
  '.json': (sweep) => safeJson(sweep),
  '.md': (sweep) => renderMarkdown(recipeSweepDocument(sweep)),
};

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
  $ assay sweep spans/iou --over pair.threshold=0.1..0.9 --gold gold.jsonl \\
      --predictions old=a.jsonl --predictions new=b.jsonl --out sweep.svg
  $ assay sweep pii/piranha --cases docs.json --over pair.threshold.LOC=0.1..0.9 \\
      --over judge.excuse-overlap.share=0..1:0.25 --measure f1
  $ assay sweep graph/openspec --gold items.jsonl --predictions out.jsonl \\
      --over pair.assign=greedy,in-order,optimal`;

export default command({
  name: 'sweep',
  arguments: { recipe: flag.argument('preset, recipe file or run folder; assay presets lists the presets') },
  flags: {
    over: flag.required(flag.strings('<path=range>', 'parameter and its values; twice for a grid')),
    ...fileFlags('model output; also as NAME=FILE: each system is compared with the first'),
    measure: flag.names('<list>', 'measures to report, such as f1,recall; the first is drawn', 'f1,recall'),
    json: flag.JSON,
    out: flag.strings('<file>', `file to write: ${Object.keys(WRITERS).join(', ')}`),
    quiet: flag.QUIET,
  },
  help: HELP,
  async run({ over, measure, out, recipe: named, ...files }, { progress, note }) {
    const { recipe, flags } = isRunFolder(named) ? await runToSweep(named, files) : { recipe: named, flags: files };
    const set = dataSettings(flags);
    const write = outFiles(out, WRITERS);
    const plan = await planRecipe(recipe, set);
    const systems = sourcesOfSystems(withProgress(await scoredFiles(plan, flags, note), progress));
    const sweep = await sweepRecipe({
      recipe,
      over,
      systems: flags.predictions.length === 0 ? systems.map((system) => ({ ...system, name: 'system' })) : systems,
      set,
      ...(measure.length === 0 ? {} : { measures: measure }),
      breathe: (share) => progress.at(share, 'intervals'),
    });
    write(sweep);
    return { document: () => recipeSweepDocument(sweep), json: () => safeJson(sweep) };
  },
});

/** The recipe, settings and files of a run, if they are what they were when it was scored. */
async function runToSweep<Flags extends SourceFlags>(
  folder: string,
  flags: Flags,
): Promise<{ readonly recipe: string; readonly flags: Flags }> {
  refuseSources(flags);
  const run = await readRun(folder);
  const { recipe } = run.manifest;
  refuseUse('sweep of a run', run.manifest, folder);
  const { reviews, ...files } = (await runAgain(run, 'sweep')).files;
  if (reviews !== undefined)
    throw new UsageError(
      `${folder} was scored with reviews, which a sweep does not read`,
      `to sweep without them, name the recipe and the files: assay sweep ${shellWord(recipe.name)} --cases FILE --predictions FILE …`,
    );
  return { recipe: recipe.name, flags: { ...flags, ...files, set: recipe.set } };
}
