import {
  compareText,
  count,
  plural,
  type Document,
  filledTable,
  InputError,
  type Problem,
  PROBLEMS_SHOWN,
  shellWord,
  UsageError,
} from '../../plugin.ts';
import * as experiment from '../../experiment.ts';
import { command } from '../command.ts';
import * as storage from '../backend-of.ts';
import { schemaFlags, schemasOfFlags } from './schema-flags.ts';
import * as flag from '../flags.ts';

const CHANGE_NAMES: Readonly<Record<string, string>> = {
  inputSchema: 'input schema',
  expectedOutputSchema: 'schema of expected outputs',
};

const createCommand = command({
  name: 'create',
  arguments: { name: flag.argument('name of the dataset') },
  flags: {
    description: flag.string('<text>', 'purpose of the dataset'),
    metadata: flag.object('custom metadata, a JSON object'),
    ...schemaFlags('task whose item schema the items must match'),
    ...storage.PLACE_FLAGS,
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
    experiment.checkName('dataset', name);
    const schemas = await schemasOfFlags(flags);
    await storage.withBackend(flags, async (backend) => {
      const before = await backend.dataset(name);
      if (before?.archived === true)
        throw new UsageError(
          `the dataset ${name} is archived`,
          `assay dataset restore ${shellWord(name)} brings it back`,
        );
      if (before !== null && schemas !== null) await refuseMisfits(backend, name, schemas);
      const { input: inputSchema, expectedOutput: expectedOutputSchema } = schemas ?? {};
      const changes = flag.defined({ description, metadata, inputSchema, expectedOutputSchema });
      const changed = Object.keys(changes).map((key) => CHANGE_NAMES[key] ?? key);
      if (before === null || changed.length > 0) await backend.saveDataset({ name, ...changes });
      if (before === null)
        say(`Created the dataset ${name} in ${backend.place}.`, `Items: assay dataset import ${shellWord(name)} FILE`);
      else if (changed.length > 0) say(`Changed the dataset ${name} in ${backend.place}: ${changed.join(', ')}.`);
      else say(`The dataset ${name} already exists in ${backend.place}; nothing to change.`);
    });
  },
});

/** Refuses schemas that existing items do not match, with what is wrong with them. */
async function refuseMisfits(
  backend: experiment.Backend,
  dataset: string,
  schemas: experiment.ItemSchemas,
): Promise<void> {
  const validate = experiment.makeItemValidator(schemas);
  const problems: Problem[] = [];
  let total = 0;
  for await (const { item, faults } of experiment.checkEach(validate, backend.items(dataset), (one) => one))
    for (const { path, message } of faults) {
      total += 1;
      if (problems.length < PROBLEMS_SHOWN)
        problems.push({ file: `${dataset}, item ${item.id}`, line: null, field: path, message });
    }
  if (total > 0) throw new InputError(problems, total);
}

/** A dataset with its number of items, if that is known without counting them. */
type DatasetRow = experiment.DatasetRecord & { readonly items: number | null };

const listCommand = command({
  name: 'list',
  flags: {
    archived: flag.toggle('also list archived datasets (local store)'),
    json: flag.JSON_ALONE,
    ...storage.PLACE_FLAGS,
  },
  help: `
Examples:
  $ assay dataset list
  $ assay dataset list --json | jq -r '.[].name'`,
  run: ({ archived, ...flags }) =>
    storage.storageList(
      flags,
      ['dataset', 'assay dataset import NAME FILE'],
      async (isLocal) =>
        isLocal
          ? storage.withLocalStore(flags, (store) => localDatasets(store, archived))
          : storage.withBackend(flags, serverDatasets),
      datasetList,
    ),
});

/** Straight from the store, which also knows archived datasets and numbers of items. */
function localDatasets({ datasets }: experiment.Store, archived: boolean): DatasetRow[] {
  const all: DatasetRow[] = [];
  for (let page = 1; ; page += 1) {
    const { rows, total } = datasets.list({ page, limit: 100 }, { archived });
    for (const row of rows)
      all.push({ ...row, items: datasets.listItems({ datasetId: row.id }, { page: 1, limit: 1 }).total });
    if (page * 100 >= total) return all.sort((a, b) => compareText(a.name, b.name));
  }
}

async function serverDatasets(backend: experiment.Backend): Promise<DatasetRow[]> {
  return (await backend.datasets()).map((dataset) => ({ ...dataset, items: null }));
}

function datasetList(datasets: readonly DatasetRow[], place: string): Document {
  const table = filledTable<DatasetRow>(
    [
      [{ title: 'Dataset', shrinks: true }, ({ name }) => ({ text: name, tone: 'strong' })],
      datasets.some(({ items }) => items !== null)
        ? [{ title: 'items', align: 'right' }, ({ items }) => (items === null ? '' : count(items))]
        : null,
      [{ title: 'schemas', drop: 2 }, schemasText],
      [{ title: 'changed', drop: 1 }, ({ updatedAt }) => updatedAt.slice(0, 10)],
      [
        { title: 'description', shrinks: true, drop: 3 },
        ({ archived, description }) => `${archived ? 'archived. ' : ''}${description ?? ''}`,
      ],
    ],
    datasets,
  );
  return {
    title: `Datasets in ${place}`,
    sections: [{ blocks: [table, ...datasets.map((dataset) => unfinished(dataset))] }],
  };
}

function unfinished(dataset: experiment.DatasetRecord) {
  const notice = experiment.unfinishedNotice(dataset);
  return notice === null ? null : { text: notice, mark: 'warning' as const };
}

export function schemasText({ inputSchema, expectedOutputSchema }: experiment.DatasetRecord): string {
  const has = [...(inputSchema === null ? [] : ['input']), ...(expectedOutputSchema === null ? [] : ['expected'])];
  return has.length === 0 ? 'none' : has.join(', ');
}

const STATUS_ARGUMENTS = { name: flag.argument('name of the dataset') };
const STATUS_FLAGS = { item: flag.strings('<id>', 'item instead of the whole dataset'), ...storage.PLACE_FLAGS };

const archiveCommand = command({
  name: 'archive',
  arguments: STATUS_ARGUMENTS,
  flags: STATUS_FLAGS,
  help: `
Examples:
  $ assay dataset archive graph-eval --item G07 --item G12
  $ assay dataset archive old-eval`,
  async run({ name, item, ...flags }, { say }) {
    await storage.withExisting(flags, `dataset ${name}`, storage.FIRST_DATASET, async (backend) => {
      const dataset = await experiment.findDataset(backend, name);
      if (item.length > 0) return say(...(await setStatus(backend, name, item, flags, 'ARCHIVED')));
      if (dataset.archived) return say(`The dataset ${name} is already archived.`);
      await backend.archiveDataset(name);
      say(`Archived the dataset ${name}: assay dataset restore ${shellWord(name)} brings it back.`);
    });
  },
});

const restoreCommand = command({
  name: 'restore',
  arguments: STATUS_ARGUMENTS,
  flags: STATUS_FLAGS,
  help: `
Examples:
  $ assay dataset show graph-eval --archived
  $ assay dataset restore graph-eval --item G07
  $ assay dataset restore old-eval`,
  async run({ name, item, ...flags }, { say }) {
    await storage.withExisting(flags, `dataset ${name}`, storage.FIRST_DATASET, async (backend) => {
      const dataset = await experiment.findDataset(backend, name);
      if (item.length > 0) return say(...(await setStatus(backend, name, item, flags, 'ACTIVE')));
      if (storage.isLangfuse(flags))
        throw new UsageError(
          'Langfuse archives items, not datasets',
          'assay dataset show NAME --archived lists them, --item ID restores one',
        );
      if (!dataset.archived) return say(`The dataset ${name} is not archived.`);
      await storage.withLocalStore(flags, (store) => store.datasets.archive(name, false));
      say(`Restored the dataset ${name}.`);
    });
  },
});

async function setStatus(
  backend: experiment.Backend,
  name: string,
  ids: readonly string[],
  flags: storage.PlaceFlags,
  status: experiment.ItemStatus,
): Promise<string[]> {
  const items = await experiment.findItems(backend, name, ids);
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
    `${plural(toChange.length, 'item')} of ${name} ${done}` +
      (unchanged > 0 ? `; ${plural(unchanged, 'was', 'were')} already.` : '.'),
    `Version ${(await storage.currentVersion(backend, flags, name)).hash}`,
  ];
}

export default {
  create: createCommand,
  list: listCommand,
  archive: archiveCommand,
  restore: restoreCommand,
};
