import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { checkName } from '../../experiment/datasets/names.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type PlaceFlags, placeOptions, withBackend } from '../backend-of.ts';
import { refuseMisfits } from './item-check.ts';
import { objectFlag } from './json-input.ts';
import { type SchemaFlags, schemaFlags, taskOption } from './schema-flags.ts';

interface CreateFlags extends PlaceFlags, SchemaFlags {
  readonly description?: string;
  readonly metadata?: string;
}

export function createCommand(): Command {
  return placeOptions(
    new Command('create')
      .description('make a dataset, or change what is said about one')
      .argument('<name>', 'of the dataset')
      .option('--description <text>', 'what it is for')
      .option('--metadata <json>', 'an object of your own')
      .addOption(taskOption('items have to fit the schema of this task'))
      .option('--input-schema <file>', 'JSON Schema that every input has to fit')
      .option('--expected-schema <file>', 'JSON Schema that every expected output has to fit'),
  )
    .addHelpText('after', HELP)
    .action(create);
}

const HELP = `
Where the dataset is there already, what is given is changed and the rest stays.
A schema that its items do not fit is refused. Schemas are JSON Schema 2020-12
(draft-07 where the file says so); references lead into the file itself.

Examples:
  $ assay dataset create graph-eval --task graph
  $ assay dataset create notes --description "ward notes, May" \\
      --input-schema input.json --expected-schema expected.json`;

async function create(name: string, flags: CreateFlags): Promise<void> {
  checkName('dataset', name);
  const schemas = await schemaFlags(flags);
  const metadata = flags.metadata === undefined ? undefined : objectFlag('--metadata', flags.metadata);
  await withBackend(flags, async (backend) => {
    const before = await backend.dataset(name);
    if (before?.archived === true)
      throw new UsageError(
        `the dataset ${name} is archived`,
        `assay dataset restore ${shellWord(name)} brings it back`,
      );
    if (before !== null && schemas !== null) await refuseMisfits(backend, name, schemas);
    const changes = {
      ...(flags.description === undefined ? {} : { description: flags.description }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(schemas?.input === undefined ? {} : { inputSchema: schemas.input }),
      ...(schemas?.expectedOutput === undefined ? {} : { expectedOutputSchema: schemas.expectedOutput }),
    };
    const changed = Object.keys(changes).map((key) => WORDS[key] ?? key);
    if (before === null || changed.length > 0) await backend.saveDataset({ name, ...changes });
    const said =
      before === null
        ? `Made the dataset ${name} in ${backend.place}.`
        : changed.length > 0
          ? `Changed the dataset ${name} in ${backend.place}: ${changed.join(', ')}.`
          : `The dataset ${name} is there already in ${backend.place}; nothing was to be changed.`;
    process.stdout.write(`${safeText(said)}\n`);
    if (before === null) process.stdout.write(`Items: assay dataset import ${shellWord(name)} FILE\n`);
  });
}

const WORDS: Readonly<Record<string, string>> = {
  inputSchema: 'input schema',
  expectedOutputSchema: 'schema of expected outputs',
};
