import { Command } from 'commander';

import { checkLabels } from '../../experiment/datasets/names.ts';
import { safeText } from '../../report/safe-text.ts';
import { type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { BEGIN, findPrompt, versionNumber } from './find.ts';

export function labelCommand(): Command {
  return placeOptions(
    new Command('label')
      .description('put labels on a version, taking them from the others')
      .argument('<name>', 'of the prompt')
      .argument('<version>', 'its number')
      .argument('<labels...>', 'such as production or staging'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay prompt label graph-extraction 3 production
  $ assay prompt label graph-extraction 2 production staging`,
    )
    .action(label);
}

async function label(name: string, version: string, labels: readonly string[], flags: PlaceFlags): Promise<void> {
  const number = versionNumber('version', version);
  checkLabels(labels);
  await withExisting(flags, `prompt ${name}`, BEGIN, async (backend) => {
    await findPrompt(backend, name, { version: number });
    const labelled = await backend.labelPrompt(name, number, [...new Set(labels)]);
    process.stdout.write(
      `${safeText(`Version ${number} of the prompt ${name} is now labelled ${labelled.labels.join(', ')}.`)}\n`,
    );
  });
}
