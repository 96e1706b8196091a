import { z } from 'zod';

import { definitionList, didYouMean, terminalStyle, UsageError } from '../plugin.ts';
import { SCHEMAS, type Shape } from '../experiment.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { PLUGINS } from './plugins.ts';

type Shapes = Readonly<Record<string, Shape>>;

type Sections = readonly (readonly [title: string, shapes: Shapes])[];

async function sections(): Promise<Sections> {
  const added = await Promise.all(PLUGINS.map(({ shapes }) => shapes()));
  const withAdded = (kind: 'inputs' | 'outputs'): Shapes =>
    Object.fromEntries([SCHEMAS[kind]!, ...added.map((shapes) => shapes[kind])].flatMap(Object.entries<Shape>));
  return [
    ['Recipe (assay schema NAME prints its JSON Schema)', SCHEMAS['recipe']!],
    ['Rules under prepare:', SCHEMAS['prepare']!],
    ['Rules under judge:', SCHEMAS['judge']!],
    ['Experiments', SCHEMAS['experiment']!],
    ['Records that are read', withAdded('inputs')],
    ['What is written', withAdded('outputs')],
    ['Formats (for --format; without a schema)', SCHEMAS['formats']!],
    ['Similarities (for pair.similarity; a path names a custom function)', SCHEMAS['similarities']!],
  ];
}

export default command({
  name: 'schema',
  arguments: { name: flag.optionalArgument('recipe, measure, a rule, an input shape or an output file') },
  flags: {},
  help: `
Examples:
  $ assay schema                list of everything
  $ assay schema recipe         settings of a recipe
  $ assay schema merge          parameters of one rule
  $ assay schema ledger         a line of ledger.jsonl`,
  async run({ name }) {
    const all = await sections();
    process.stdout.write(name === undefined ? listing(all) : schemaText(name, all));
  },
});

function schemaText(name: string, parts: Sections): string {
  const all = new Map(
    parts.flatMap(([, shapes]) => Object.entries(shapes)).filter(([, { schema, json }]) => schema ?? json),
  );
  const found = all.get(name);
  if (found === undefined)
    throw new UsageError(`unknown schema: ${name}`, didYouMean(name, all.keys()) ?? 'assay schema lists them');
  const { about, schema, json } = found;
  const shape = json ?? z.toJSONSchema(schema!, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ title: `assay ${name}`, description: about, ...shape }, null, 2)}\n`;
}

function listing(parts: Sections): string {
  const { width } = terminalStyle(process.stdout);
  const rows = (shapes: Shapes): [string, string][] => Object.entries(shapes).map(([name, { about }]) => [name, about]);
  return parts.map(([title, shapes]) => `${title}\n${definitionList(rows(shapes), width).join('\n')}\n`).join('\n');
}
