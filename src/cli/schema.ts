import { z } from 'zod';

import { ITEM_SCHEMAS, ITEM_TASKS, itemSchema, RECORD_SCHEMAS } from '../experiment/datasets/item-schemas.ts';
import { FORMATS } from '../data/formats.ts';
import { UsageError } from '../data/problems.ts';
import { comparisonShape } from '../compare/comparison.ts';
import { JUDGE_RULES } from '../judge/rules.ts';
import { measureParams } from '../measure/measure-params.ts';
import { caseShape } from '../measure/results.ts';
import { SIMILARITIES } from '../pair/similarity.ts';
import { PREPARE_RULES } from '../prepare/rules.ts';
import { definitionList } from '../report/definition-list.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { recipeSchema } from '../recipe/schema.ts';
import { rulesSchema } from '../compare/gate/rules.ts';
import { ledgerLine } from '../score/ledger.ts';
import { manifestFile, measuresFile } from '../score/run.ts';
import { STREAM_INPUTS, STREAM_OUTPUTS } from '../stream/record-shapes.ts';
import { experimentFileSchema } from '../experiment/run/experiment-schema.ts';
import { closestNames } from '../text/closest-names.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

/** Some are JSON Schema already. */
type Shape = { readonly about: string } & ({ readonly schema: z.ZodType } | { readonly json: object });
type Shapes = Readonly<Record<string, Shape>>;

const DATASET_ITEMS: Shapes = Object.fromEntries(
  ITEM_TASKS.map((task) => [`dataset-${task}`, { about: ITEM_SCHEMAS[task].about, json: itemSchema(task) }]),
);
const INPUTS: Shapes = { ...RECORD_SCHEMAS, ...STREAM_INPUTS };
const OUTPUTS: Shapes = {
  ledger: { about: 'one line of ledger.jsonl: a verdict', schema: ledgerLine },
  cases: { about: 'one line of cases.jsonl: a case’s counts and measures', schema: caseShape },
  measures: { about: 'measures.json', schema: measuresFile },
  manifest: { about: 'manifest.json', schema: manifestFile },
  comparison: { about: 'what compare --json prints', schema: comparisonShape },
  ...STREAM_OUTPUTS,
};

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
  for (const group of [INPUTS, OUTPUTS, DATASET_ITEMS])
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
  const found = all.get(name);
  if (found === undefined) {
    const near = closestNames(name, [...all.keys()]);
    throw new UsageError(
      `unknown schema: ${name}`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'assay schema lists them',
    );
  }
  const json =
    'json' in found
      ? found.json
      : z.toJSONSchema(found.schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
  process.stdout.write(`${JSON.stringify({ title: `assay ${name}`, description: found.about, ...json }, null, 2)}\n`);
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
    section('Experiments', [['experiment', 'an experiment file for assay run'], ...about(DATASET_ITEMS)]),
    section('Records that are read', about(INPUTS)),
    section('What is written', about(OUTPUTS)),
    section(
      'Formats (for --format; without a schema)',
      FORMATS.map((format) => [format.name, format.about] as const),
    ),
    section('Similarities (for pair.similarity; a path names a custom function)', about(SIMILARITIES)),
  ].join('\n');
}
