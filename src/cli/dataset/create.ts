import { InputError, type Problem, PROBLEMS_SHOWN, shellWord, UsageError } from '../../plugin.ts';
import { type Backend, checkEach, checkName, type ItemSchemas, makeItemValidator } from '../../experiment.ts';
import { PLACE_FLAGS, withBackend } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { schemaFlags, schemasOfFlags } from './schema-flags.ts';

const CHANGES: Readonly<Record<string, string>> = {
  inputSchema: 'input schema',
  expectedOutputSchema: 'schema of expected outputs',
};

export const createCommand = command({
  name: 'create',
  arguments: { name: flag.argument('name of the dataset') },
  flags: {
    description: flag.text('<text>', 'purpose of the dataset'),
    metadata: flag.object('custom metadata, a JSON object'),
    ...schemaFlags('task whose item schema the items must match'),
    ...PLACE_FLAGS,
  },
  help: `
For an existing dataset, what is given is changed and the rest stays. A schema
that its items do not match is refused. Schemas are JSON Schema 2020-12
(draft-07 if the file declares it); references lead into the file itself.

Examples:
  $ assay dataset create graph-eval --task graph
  $ assay dataset create notes --description "ward notes, May" \\
      --input-schema input.json --expected-schema expected.json`,
  async run({ name, description, metadata, ...flags }, { say }) {
    checkName('dataset', name);
    const schemas = await schemasOfFlags(flags);
    await withBackend(flags, async (backend) => {
      const before = await backend.dataset(name);
      if (before?.archived === true)
        throw new UsageError(
          `the dataset ${name} is archived`,
          `assay dataset restore ${shellWord(name)} brings it back`,
        );
      if (before !== null && schemas !== null) await refuseMisfits(backend, name, schemas);
      const { input: inputSchema, expectedOutput: expectedOutputSchema } = schemas ?? {};
      const changes = flag.defined({ description, metadata, inputSchema, expectedOutputSchema });
      const changed = Object.keys(changes).map((key) => CHANGES[key] ?? key);
      if (before === null || changed.length > 0) await backend.saveDataset({ name, ...changes });
      if (before === null)
        say(`Created the dataset ${name} in ${backend.place}.`, `Items: assay dataset import ${shellWord(name)} FILE`);
      else if (changed.length > 0) say(`Changed the dataset ${name} in ${backend.place}: ${changed.join(', ')}.`);
      else say(`The dataset ${name} already exists in ${backend.place}; nothing to change.`);
    });
  },
});

/** Refuses schemas that existing items do not match, with what is wrong with them. */
async function refuseMisfits(backend: Backend, dataset: string, schemas: ItemSchemas): Promise<void> {
  const validate = makeItemValidator(schemas);
  const problems: Problem[] = [];
  let total = 0;
  for await (const { item, faults } of checkEach(validate, backend.items(dataset), (one) => one))
    for (const { path, message } of faults) {
      total += 1;
      if (problems.length < PROBLEMS_SHOWN)
        problems.push({ file: `${dataset}, item ${item.id}`, line: null, field: path, message });
    }
  if (total > 0) throw new InputError(problems, total);
}
