import { z } from 'zod';

import { ITEM_SCHEMAS, ITEM_TASKS, itemSchema } from '../experiment/datasets/item-schemas.ts';
import { FORMATS } from '../data/formats.ts';
import { UsageError } from '../data/problems.ts';
import { JUDGE_RULES } from '../judge/rules.ts';
import { measureParams } from '../measure/measure-params.ts';
import { SIMILARITIES } from '../pair/similarity.ts';
import { PREPARE_RULES } from '../prepare/rules.ts';
import { definitionList } from '../report/definition-list.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { recipeSchema } from '../recipe/schema.ts';
import { rulesSchema } from '../compare/gate/rules.ts';
import { INPUT_SHAPES, OUTPUT_SHAPES } from '../tasks/shapes.ts';
import { experimentFileSchema } from '../experiment/run/experiment-schema.ts';
import { closestNames } from '../text/closest-names.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

interface Shape {
  readonly about: string;
  readonly schema: z.ZodType;
}

/** Those that are JSON Schema already. */
const DATASET_ITEMS = new Map(
  ITEM_TASKS.map((task) => [`dataset-${task}`, { about: ITEM_SCHEMAS[task].about, json: itemSchema(task) }]),
);

export const schemaCommand = command({
  name: 'schema',
  arguments: { name: flag.optionalArgument('recipe, measure, a rule, an input shape or an output file') },
  flags: {},
  help: `
Examples:
  $ assay schema                list of everything
  $ assay schema recipe         settings of a recipe
  $ assay schema merge          parameters of one rule
  $ assay schema ledger         a line of ledger.jsonl`,
  run: ({ name }) => schema(name),
});

function shapes(): Map<string, Shape> {
  const all = new Map<string, Shape>([
    ['recipe', { about: 'a recipe file', schema: recipeSchema }],
    ['measure', { about: 'an entry under measure:', schema: measureParams }],
    ['experiment', { about: 'an experiment file for assay run', schema: experimentFileSchema }],
    ['gate', { about: 'rules for assay gate', schema: rulesSchema }],
  ]);
  for (const group of [INPUT_SHAPES, OUTPUT_SHAPES])
    for (const [name, shape] of Object.entries(group)) all.set(name, shape);
  for (const rule of [...PREPARE_RULES, ...JUDGE_RULES]) all.set(rule.name, { about: rule.about, schema: rule.params });
  return all;
}

function schema(name: string | undefined): void {
  const all = shapes();
  if (name === undefined) {
    process.stdout.write(listing());
    return;
  }
  const item = DATASET_ITEMS.get(name);
  if (item !== undefined) {
    printSchema(name, item.about, item.json);
    return;
  }
  const found = all.get(name);
  if (found === undefined) {
    const near = closestNames(name, [...all.keys(), ...DATASET_ITEMS.keys()]);
    throw new UsageError(
      `unknown schema: ${name}`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'assay schema lists them',
    );
  }
  const json = z.toJSONSchema(found.schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
  printSchema(name, found.about, json);
}

function printSchema(name: string, about: string, json: object): void {
  process.stdout.write(`${JSON.stringify({ title: `assay ${name}`, description: about, ...json }, null, 2)}\n`);
}

function listing(): string {
  const { width } = terminalStyle(process.stdout);
  const section = (title: string, rows: readonly (readonly [string, string])[]): string =>
    `${title}\n${definitionList(rows, width).join('\n')}\n`;
  const about = (group: Readonly<Record<string, { readonly about: string }>>): (readonly [string, string])[] =>
    Object.entries(group).map(([name, entry]) => [name, entry.about] as const);
  return [
    section('Recipe (assay schema NAME prints its JSON Schema)', [
      ['recipe', 'a recipe file'],
      ['measure', 'an entry under measure:'],
      ['gate', 'rules for assay gate'],
    ]),
    section(
      'Rules under prepare:',
      PREPARE_RULES.map((rule) => [rule.name, rule.about] as const),
    ),
    section(
      'Rules under judge:',
      JUDGE_RULES.map((rule) => [rule.name, rule.about] as const),
    ),
    section('Experiments', [
      ['experiment', 'an experiment file for assay run'],
      ...[...DATASET_ITEMS].map(([name, { about: text }]): [string, string] => [name, text]),
    ]),
    section('Records that are read', about(INPUT_SHAPES)),
    section('What is written', about(OUTPUT_SHAPES)),
    section(
      'Formats (for --format; without a schema)',
      FORMATS.map((format) => [format.name, format.about] as const),
    ),
    section('Similarities (for pair.similarity; a path names a custom function)', about(SIMILARITIES)),
  ].join('\n');
}
