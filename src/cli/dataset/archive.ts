import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import type { Backend } from '../../experiment/backend.ts';
import { findDataset, findItems } from '../../experiment/datasets/find-dataset.ts';
import { counted } from '../../text/figures.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import type { ItemStatus } from '../../store/records.ts';
import { openStore } from '../../store/store.ts';
import { isLangfuse, localFolder, type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { BEGIN } from './begin.ts';
import { currentVersion } from './current-version.ts';
import { repeated } from './repeated.ts';

interface ArchiveFlags extends PlaceFlags {
  readonly item?: readonly string[];
}

export function archiveCommand(): Command {
  return placeOptions(
    new Command('archive')
      .description('take a dataset, or items of it, out of lists and runs; nothing is deleted')
      .argument('<name>', 'of the dataset')
      .addOption(repeated('--item <id>', 'only this item; may be given again')),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay dataset archive graph-eval --item G07 --item G12
  $ assay dataset archive old-eval`,
    )
    .action(archive);
}

export function restoreCommand(): Command {
  return placeOptions(
    new Command('restore')
      .description('bring back what was archived')
      .argument('<name>', 'of the dataset')
      .addOption(repeated('--item <id>', 'only this item; may be given again')),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay dataset show graph-eval --archived
  $ assay dataset restore graph-eval --item G07
  $ assay dataset restore old-eval`,
    )
    .action(restore);
}

async function archive(name: string, flags: ArchiveFlags): Promise<void> {
  await withExisting(flags, `dataset ${name}`, BEGIN, async (backend) => {
    const dataset = await findDataset(backend, name);
    if (flags.item !== undefined) return setStatus(backend, name, flags, 'ARCHIVED');
    if (!dataset.archived) await backend.archiveDataset(name);
    say(
      dataset.archived
        ? `The dataset ${name} is archived already.`
        : `Archived the dataset ${name}: assay dataset restore ${shellWord(name)} brings it back.`,
    );
  });
}

async function restore(name: string, flags: ArchiveFlags): Promise<void> {
  await withExisting(flags, `dataset ${name}`, BEGIN, async (backend) => {
    const dataset = await findDataset(backend, name);
    if (flags.item !== undefined) return setStatus(backend, name, flags, 'ACTIVE');
    if (isLangfuse(flags))
      throw new UsageError(
        'Langfuse archives items and no datasets',
        'assay dataset show NAME --archived lists them, --item ID restores one',
      );
    if (!dataset.archived) return say(`The dataset ${name} is not archived.`);
    const store = openStore(localFolder(flags));
    try {
      store.datasets.archive(name, false);
    } finally {
      store.close();
    }
    say(`Restored the dataset ${name}.`);
  });
}

async function setStatus(backend: Backend, name: string, flags: ArchiveFlags, status: ItemStatus): Promise<void> {
  const items = await findItems(backend, name, flags.item ?? []);
  const toChange = items.filter((item) => item.status !== status);
  // All of an item is sent: a server may take what is left out for emptied.
  if (toChange.length > 0)
    await backend.saveItems(
      name,
      toChange.map(({ id, input, expectedOutput, metadata, sourceTraceId, sourceObservationId }) => ({
        id,
        input,
        expectedOutput,
        metadata,
        sourceTraceId,
        sourceObservationId,
        status,
      })),
    );
  const done = status === 'ARCHIVED' ? 'archived' : 'restored';
  const were = items.length - toChange.length;
  say(
    `${counted(toChange.length, 'item')} of ${name} ${done}` +
      (were > 0 ? `; ${counted(were, 'was', 'were')} so already.` : '.'),
  );
  say(`Version ${(await currentVersion(backend, flags, name)).hash}`);
}

function say(text: string): void {
  process.stdout.write(`${safeText(text)}\n`);
}
