import { z } from 'zod';

import { definitionList, didYouMean, terminalStyle, UsageError } from '../plugin.ts';
import { SCHEMAS, type Shape } from '../experiment.ts';
import { STREAM_INPUTS, STREAM_OUTPUTS } from '../stream.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

type Shapes = Readonly<Record<string, Shape>>;

const SECTIONS: readonly (readonly [title: string, shapes: Shapes])[] = [
  ['Recipe (assay schema NAME prints its JSON Schema)', SCHEMAS['recipe']!],
  ['Rules under prepare:', SCHEMAS['prepare']!],
  ['Rules under judge:', SCHEMAS['judge']!],
  ['Experiments', SCHEMAS['experiment']!],
  ['Records that are read', { ...SCHEMAS['inputs'], ...STREAM_INPUTS }],
  ['What is written', { ...SCHEMAS['outputs'], ...STREAM_OUTPUTS }],
  ['Formats (for --format; without a schema)', SCHEMAS['formats']!],
  ['Similarities (for pair.similarity; a path names a custom function)', SCHEMAS['similarities']!],
];

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
  run: ({ name }) => void process.stdout.write(name === undefined ? listing() : schemaText(name)),
});

function schemaText(name: string): string {
  const all = new Map(
    SECTIONS.flatMap(([, shapes]) => Object.entries(shapes)).filter(([, { schema, json }]) => schema ?? json),
  );
  const found = all.get(name);
  if (found === undefined)
    throw new UsageError(`unknown schema: ${name}`, didYouMean(name, all.keys()) ?? 'assay schema lists them');
  const { about, schema, json } = found;
  const shape = json ?? z.toJSONSchema(schema!, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ title: `assay ${name}`, description: about, ...shape }, null, 2)}\n`;
}

function listing(): string {
  const { width } = terminalStyle(process.stdout);
  const rows = (shapes: Shapes): [string, string][] => Object.entries(shapes).map(([name, { about }]) => [name, about]);
  return SECTIONS.map(([title, shapes]) => `${title}\n${definitionList(rows(shapes), width).join('\n')}\n`).join('\n');
}
