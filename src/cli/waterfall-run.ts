import { UsageError } from '../data/problems.ts';
import { formatOf } from '../formats/case-formats.ts';
import type { Plan } from '../recipe/plan.ts';
import { readFigures } from '../report/html/run-parts.ts';
import { readRun } from '../score/run-file.ts';
import { NOT_PAIRED } from '../compare/waterfall/make-waterfall.ts';
import type { Waterfall } from '../compare/waterfall/waterfall.ts';
import { waterfallShape } from '../compare/waterfall/waterfall.ts';
import { inputsOfRun, planOfRun } from './scored-run.ts';
import type { SourceFlags } from './scored-sources.ts';

/** The waterfall that was made when a run was scored; else it is made again from the files that were scored. */
export async function waterfallOfRun(
  folder: string,
  make: (plan: Plan, flags: SourceFlags) => Promise<Waterfall>,
): Promise<Waterfall> {
  const run = await readRun(folder);
  const figures = await readFigures(run);
  const known = waterfallShape.safeParse(figures?.waterfall);
  if (known.success) return known.data;
  if (!formatOf(run.manifest).isPaired)
    throw new UsageError(
      `${folder} has no waterfall: ${figures?.noWaterfall ?? NOT_PAIRED}`,
      'assay stream measure reports what it measures',
    );
  return make(await planOfRun(run, 'waterfall'), await inputsOfRun(run, 'waterfall'));
}
