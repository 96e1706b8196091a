import { checkLabels } from '../../experiment.ts';
import { FIRST_PROMPT, PLACE_FLAGS, withExisting } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { findPrompt, VERSIONS } from './find.ts';

export const labelCommand = command({
  name: 'label',
  arguments: {
    name: flag.argument('name of the prompt'),
    version: { ...flag.required(flag.integer('', 'number of the version', VERSIONS)), value: '<>' },
    labels: flag.someArguments('labels, such as production or staging'),
  },
  flags: PLACE_FLAGS,
  help: `
Examples:
  $ assay prompt label graph-extraction 3 production
  $ assay prompt label graph-extraction 2 production staging`,
  async run({ name, version, labels, ...flags }, { say }) {
    checkLabels(labels);
    await withExisting(flags, `prompt ${name}`, FIRST_PROMPT, async (backend) => {
      await findPrompt(backend, name, { version });
      const labelled = await backend.labelPrompt(name, version, [...new Set(labels)]);
      say(`Version ${version} of the prompt ${name} is now labelled ${labelled.labels.join(', ')}.`);
    });
  },
});
