import { taskTitle } from '../../recipe/task-title.ts';
import tasks from './item-schemas.json' with { type: 'json' };
import records from './record-schemas.json' with { type: 'json' };
import type { ItemSchemas } from './validate-item.ts';

export type ItemTask = keyof typeof tasks;
/** A task has items if item-schemas.json lists it. */
export const ITEM_TASKS = Object.keys(tasks).filter((name): name is ItemTask => Object.hasOwn(tasks, name));

/** The task of a name that users write: both `spans` and `pii` are the task of spans. */
export function itemTaskNamed(written: string): ItemTask | undefined {
  return ITEM_TASKS.find((task) => task === written || taskTitle(task) === written);
}

interface TaskItems extends Required<ItemSchemas> {
  readonly about: string;
  /** What the parts of an item are called in the task's own tables; every other column is metadata. */
  readonly columns?: { readonly input: readonly string[]; readonly expected: readonly string[] };
  /** What cases and outputs are read as if they show no format. */
  readonly format?: string;
  /** The recipe that scores it unless one is named. */
  readonly recipe: string;
  /** Targets that are made for it, the default first. */
  readonly targets: readonly string[];
}

/** Written so that Langfuse accepts them as they are: draft-07 without $schema, anyOf instead of lists of types. */
export const ITEM_SCHEMAS: Readonly<Record<ItemTask, TaskItems>> = tasks;

/** Records of the files that are scored, for `assay schema` and for those who write such files. Extra fields are welcome. */
export const RECORD_SCHEMAS: Readonly<Record<string, { readonly about: string; readonly json: object }>> = records;

/** The task of this name, of a recipe or of items; undefined if it has no items. */
export function itemTask(name: string): TaskItems | undefined {
  return Object.entries(ITEM_SCHEMAS).find(([task]) => task === name)?.[1];
}

/** Of a whole record as `assay dataset import` reads it. */
export function itemSchema(task: ItemTask): Readonly<Record<string, unknown>> {
  const { about, input, expectedOutput } = ITEM_SCHEMAS[task];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `assay dataset-${task}`,
    description: about,
    type: 'object',
    required: expectedOutput === null ? ['input'] : ['input', 'expected_output'],
    properties: {
      id: { type: ['string', 'number'], description: 'made from the input where it is left out' },
      input,
      ...(expectedOutput === null ? {} : { expected_output: expectedOutput }),
      metadata: { type: 'object' },
      source_trace_id: { type: 'string', description: 'the trace that the item was made from' },
    },
  };
}
