import { UsageError } from '../data/problems.ts';
import { refuseUse } from '../formats/case-formats.ts';
import { shellWord } from '../report/shell-word.ts';
import { readRun } from '../score/run-file.ts';
import { inputsOfRun, planOfRun, refuseSources } from './scored-run.ts';
import type { SourceFlags } from './scored-sources.ts';

/** The recipe, settings and files of a run, if they are what they were when it was scored. */
export async function runToSweep<Flags extends SourceFlags>(
  folder: string,
  flags: Flags,
): Promise<{ readonly recipe: string; readonly flags: Flags }> {
  refuseSources(flags);
  const run = await readRun(folder);
  const { recipe } = run.manifest;
  refuseUse('sweep of a run', run.manifest, folder);
  const { reviews, ...files } = await inputsOfRun(run, 'sweep');
  if (reviews !== undefined)
    throw new UsageError(
      `${folder} was scored with reviews, which a sweep does not read`,
      `to sweep without them, name the recipe and the files: assay sweep ${shellWord(recipe.name)} --cases FILE --predictions FILE …`,
    );
  await planOfRun(run, 'sweep');
  return { recipe: recipe.name, flags: { ...flags, ...files, set: recipe.set } };
}
