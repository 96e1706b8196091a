import { resolve } from 'node:path';

import { sourceOf } from '../../data/named-files.ts';
import { formatNamed } from '../../data/formats.ts';
import { Problems, UsageError } from '../../data/problems.ts';
import { memorySource, reopenable, type Source } from '../../data/source.ts';
import { writtenCase } from '../../data/write-cases.ts';
import { caseReader, formatOf } from '../../formats/case-formats.ts';
import type { Plan } from '../../recipe/plan.ts';
import { taskTitle } from '../../recipe/task-title.ts';
import { itemTask } from '../datasets/item-schemas.ts';
import type { ItemFiles } from '../datasets/read-items.ts';
import type { LoadedExperiment } from './load-experiment.ts';
import { experimentPlan } from './prepare-run.ts';

/**
 * The expected outputs of an experiment over a file of cases. If the recipe scores, both files are read as scoring reads
 * them, for all that is wrong with them; without a recipe, cases need no expected output.
 */
export async function goldOf(loaded: LoadedExperiment, cases: Source) {
  const { gold: path } = loaded.experiment;
  const file = path === undefined ? null : sourceOf(resolve(loaded.folder, path));
  const plan = await experimentPlan(loaded);
  const gold = plan === null || file === null ? file : await checkedGold(plan, cases, file);
  const mayLackExpected = plan === null || plan.data.missingGold !== 'error';
  return { gold, mayLackExpected } satisfies Partial<ItemFiles>;
}

/** The gold file, or its records in the format of the task's items if it has another. */
async function checkedGold(plan: Plan, cases: Source, file: Source): Promise<Source> {
  const { goldIs } = formatOf(plan);
  if (goldIs !== null) throw new UsageError(`--gold is not for ${taskTitle(plan.task)} recipes`, goldIs);
  const gold = await reopenable(file);
  const problems = new Problems();
  const reader = caseReader({ cases, gold }, plan, problems);
  const read = await Array.fromAsync(reader);
  problems.throwIfAny();
  const format = formatNamed(reader.files().find(({ role }) => role === 'gold')?.format ?? 'spans');
  if (format.kind === 'json' && format.item !== undefined) return gold;
  const { writer } = formatNamed(itemTask(plan.task)?.format ?? format.name);
  if (writer?.layout !== 'records' || plan.data.conventions !== undefined)
    throw new UsageError(
      `--gold ${file.name} is in the format ${format.name}, which items of a dataset cannot have`,
      `convert it: assay convert ${file.name} gold.jsonl`,
    );
  // Places of items are in the unit of the recipe.
  const inUnit = { ...writer, offsets: plan.data.offsets };
  const records = read.map((one) => JSON.stringify(writer.record(writtenCase(one, inUnit, 'gold'))));
  return memorySource(file.name, `${records.join('\n')}\n`);
}
