import type { z } from 'zod';

import { comparisonShape } from '../compare/comparison.ts';
import { rulesSchema } from '../compare/gate/rules.ts';
import { FORMATS } from '../data/formats.ts';
import { ITEM_SCHEMAS, ITEM_TASKS, itemSchema, RECORD_SCHEMAS } from '../experiment/datasets/item-schemas.ts';
import { experimentFileSchema } from '../experiment/run/experiment-schema.ts';
import { JUDGE_RULES } from '../judge/rules.ts';
import { measureParams } from '../measure/measure-params.ts';
import { caseShape } from '../measure/results.ts';
import { SIMILARITIES } from '../pair/similarity.ts';
import { PREPARE_RULES } from '../prepare/rules.ts';
import { recipeSchema } from '../recipe/schema.ts';
import { ledgerLine } from '../score/ledger-reader.ts';
import { aboutFile } from '../score/run-about.ts';
import { manifestFile, measuresFile } from '../score/run.ts';

/** What can be written or read, with its schema: zod's, JSON Schema, or none. */
export interface Shape {
  readonly about: string;
  readonly schema?: z.ZodType;
  readonly json?: object;
}

const rules = (list: readonly { name: string; about: string; params: z.ZodType }[]): Record<string, Shape> =>
  Object.fromEntries(list.map(({ name, about, params: schema }) => [name, { about, schema }]));

/** Every shape of a recipe, a record or an output file by its name, in groups. */
export const SCHEMAS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  recipe: {
    recipe: { about: 'a recipe file', schema: recipeSchema },
    measure: { about: 'an entry under measure:', schema: measureParams },
    gate: { about: 'rules for assay gate', schema: rulesSchema },
  },
  prepare: rules(PREPARE_RULES),
  judge: rules(JUDGE_RULES),
  experiment: {
    experiment: { about: 'an experiment file for assay run', schema: experimentFileSchema },
    ...Object.fromEntries(
      ITEM_TASKS.map((task) => [`dataset-${task}`, { about: ITEM_SCHEMAS[task].about, json: itemSchema(task) }]),
    ),
  },
  inputs: RECORD_SCHEMAS,
  outputs: {
    ledger: { about: 'one line of ledger.jsonl: an item with its verdicts', schema: ledgerLine },
    cases: { about: 'one line of cases.jsonl: a case’s counts and measures', schema: caseShape },
    measures: { about: 'measures.json', schema: measuresFile },
    manifest: { about: 'manifest.json', schema: manifestFile },
    about: { about: 'about.json: name, note and tags of a run', schema: aboutFile },
    comparison: { about: 'what compare --json prints', schema: comparisonShape },
  },
  formats: Object.fromEntries(FORMATS.map(({ name, about }) => [name, { about }])),
  similarities: Object.fromEntries(Object.entries(SIMILARITIES).map(([name, { about }]) => [name, { about }])),
};
