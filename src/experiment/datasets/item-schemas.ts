import { CONSULT_ITEM } from './item-schemas/consult.ts';
import { GRAPH_ITEM } from './item-schemas/graph.ts';
import { JOURNAL_ITEM } from './item-schemas/journal.ts';
import { PII_ITEM } from './item-schemas/pii.ts';
import { DIARY_ENTRIES, type TaskRecords, TEXTS_WITH_SPANS } from './task-item.ts';
import type { ItemSchemas } from './validate-item.ts';
import type { TargetSpec } from '../targets/target-kinds.ts';

/** The tasks that have an item schema of their own. */
export const ITEM_TASKS = ['graph', 'journal', 'pii', 'consult'] as const;
export type ItemTask = (typeof ITEM_TASKS)[number];

/** What the parts of an item are called in a task's own tables; every other column is metadata. */
export interface TaskColumns {
  readonly input: readonly string[];
  readonly expected: readonly string[];
}

interface TaskItems extends Required<ItemSchemas> {
  readonly about: string;
  readonly columns?: TaskColumns;
  /** Its own files, where they are no items yet. */
  readonly records?: TaskRecords;
  /** What outputs are read as, so that a first answer that failed leaves no doubt what they are. */
  readonly format: string;
  /** The recipe that scores it unless one is named. */
  readonly recipe: string;
  /** Targets that are made for it, the default first. */
  readonly targets: readonly TargetSpec['use'][];
}

/** Written so that Langfuse accepts them as they are: draft-07 without $schema, anyOf instead of lists of types. */
export const ITEM_SCHEMAS: Readonly<Record<ItemTask, TaskItems>> = {
  graph: {
    about: 'a document with the entities and relationships expected of it',
    ...GRAPH_ITEM,
    format: 'graph',
    recipe: 'graph/openspec',
    targets: ['graph-extractor'],
  },
  journal: {
    about: 'a diary entry with the objects expected of it',
    ...JOURNAL_ITEM,
    records: DIARY_ENTRIES,
    format: 'journal',
    recipe: 'journal/ashwam',
    targets: ['journal-extractor'],
  },
  pii: {
    about: 'a text with the spans expected of it',
    ...PII_ITEM,
    records: TEXTS_WITH_SPANS,
    format: 'spans',
    recipe: 'pii/piranha',
    targets: [],
  },
  consult: {
    about: 'what a person wrote, with the class that is given',
    ...CONSULT_ITEM,
    format: 'auto',
    recipe: 'consult/ayurmind',
    targets: ['vanilla', 'rag'],
  },
};

/** The task of this name, of a recipe or of items; undefined where it has no items of its own. */
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
