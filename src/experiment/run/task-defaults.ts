import type { ItemTask } from '../datasets/item-schemas.ts';
import type { TargetSpec } from '../targets/target-kinds.ts';
import type { ExperimentFile } from './experiment-schema.ts';

interface TaskDefaults {
  readonly recipe: string;
  /** Targets that are made for it, the default first. */
  readonly targets: readonly TargetSpec['use'][];
}

const TASK_DEFAULTS: Readonly<Record<ItemTask, TaskDefaults>> = {
  graph: { recipe: 'graph/openspec', targets: ['graph-extractor'] },
  journal: { recipe: 'journal/ashwam', targets: ['journal-extractor'] },
  pii: { recipe: 'pii/piranha', targets: [] },
  consult: { recipe: 'consult/ayurmind', targets: ['vanilla', 'rag'] },
};

/** What is run where nothing is named; null: no target is made for the task. */
export function defaultTarget(task: ItemTask): TargetSpec['use'] | null {
  return TASK_DEFAULTS[task].targets[0] ?? null;
}

/** The recipe that an experiment names, or that of its task, or of the task that its target is made for. */
export function recipeOf({ recipe, task, target }: ExperimentFile): string | null {
  const own = task === undefined ? undefined : TASK_DEFAULTS[task];
  const made = Object.values(TASK_DEFAULTS).find(({ targets }) => targets.includes(target.use));
  return recipe ?? own?.recipe ?? made?.recipe ?? null;
}
