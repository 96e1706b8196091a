import { counted, shellWord, UsageError } from '../../plugin.ts';
import { type Backend, findDataset, findItems, type ItemStatus } from '../../experiment.ts';
import {
  currentVersion,
  FIRST_DATASET,
  isLangfuse,
  PLACE_FLAGS,
  type PlaceFlags,
  withExisting,
  withLocalStore,
} from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';

const ARGUMENTS = { name: flag.argument('name of the dataset') };
const FLAGS = { item: flag.texts('<id>', 'item instead of the whole dataset'), ...PLACE_FLAGS };

export const archiveCommand = command({
  name: 'archive',
  arguments: ARGUMENTS,
  flags: FLAGS,
  help: `
Examples:
  $ assay dataset archive graph-eval --item G07 --item G12
  $ assay dataset archive old-eval`,
  async run({ name, item, ...flags }, { say }) {
    await withExisting(flags, `dataset ${name}`, FIRST_DATASET, async (backend) => {
      const dataset = await findDataset(backend, name);
      if (item.length > 0) return say(...(await setStatus(backend, name, item, flags, 'ARCHIVED')));
      if (dataset.archived) return say(`The dataset ${name} is already archived.`);
      await backend.archiveDataset(name);
      say(`Archived the dataset ${name}: assay dataset restore ${shellWord(name)} brings it back.`);
    });
  },
});

export const restoreCommand = command({
  name: 'restore',
  arguments: ARGUMENTS,
  flags: FLAGS,
  help: `
Examples:
  $ assay dataset show graph-eval --archived
  $ assay dataset restore graph-eval --item G07
  $ assay dataset restore old-eval`,
  async run({ name, item, ...flags }, { say }) {
    await withExisting(flags, `dataset ${name}`, FIRST_DATASET, async (backend) => {
      const dataset = await findDataset(backend, name);
      if (item.length > 0) return say(...(await setStatus(backend, name, item, flags, 'ACTIVE')));
      if (isLangfuse(flags))
        throw new UsageError(
          'Langfuse archives items, not datasets',
          'assay dataset show NAME --archived lists them, --item ID restores one',
        );
      if (!dataset.archived) return say(`The dataset ${name} is not archived.`);
      await withLocalStore(flags, (store) => store.datasets.archive(name, false));
      say(`Restored the dataset ${name}.`);
    });
  },
});

async function setStatus(
  backend: Backend,
  name: string,
  ids: readonly string[],
  flags: PlaceFlags,
  status: ItemStatus,
): Promise<string[]> {
  const items = await findItems(backend, name, ids);
  const toChange = items.filter((item) => item.status !== status);
  // All of an item is sent: a server may clear what is left out.
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
  const unchanged = items.length - toChange.length;
  return [
    `${counted(toChange.length, 'item')} of ${name} ${done}` +
      (unchanged > 0 ? `; ${counted(unchanged, 'was', 'were')} already.` : '.'),
    `Version ${(await currentVersion(backend, flags, name)).hash}`,
  ];
}
