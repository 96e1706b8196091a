import { UsageError } from '../data/problems.ts';
import { refuseUse } from '../formats/case-formats.ts';
import { shellWord } from '../report/shell-word.ts';
import { readRun } from '../score/run-file.ts';
import { inputsOfRun, planOfRun } from './scored-run.ts';
import type { SourceFlags } from './scored-sources.ts';

/** The recipe, settings and files of a run, where they are as they were when it was scored. */
export async function runToSweep<Flags extends SourceFlags>(
  folder: string,
  flags: Flags,
): Promise<{ readonly recipe: string; readonly flags: Flags }> {
  const { cases, gold, predictions, set, format, offsets, columns, system } = flags;
  const more = Object.entries({ cases, gold, predictions, set, format, offsets, columns, system }).find(
    ([, value]) => value !== undefined,
  );
  if (more !== undefined)
    throw new UsageError(
      `--${more[0]}: a run says itself what was scored and how`,
      'name the recipe instead of the folder to score something else',
    );
  const run = await readRun(folder);
  const { recipe } = run.manifest;
  refuseUse('sweep of a run', run.manifest, folder);
  const { reviews, ...files } = await inputsOfRun(run, 'sweep');
  if (reviews !== undefined)
    throw new UsageError(
      `${folder} was scored with what experts said, which a sweep does not read`,
      `to sweep without it, name the recipe and the files: assay sweep ${shellWord(recipe.name)} --cases FILE --predictions FILE …`,
    );
  await planOfRun(run, 'sweep');
  return { recipe: recipe.name, flags: { ...flags, ...files, set: recipe.set } };
}
