import { compareText, count, type Document, filledTable, safeJson } from '../../plugin.ts';
import { type Backend, type DatasetRecord, type Store, unfinishedNotice } from '../../experiment.ts';
import { hasLocalStore, isLangfuse, localFolder, PLACE_FLAGS, withBackend, withLocalStore } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';

/** A dataset with its number of items, if that is known without counting them. */
type DatasetRow = DatasetRecord & { readonly items: number | null };

export const listCommand = command({
  name: 'list',
  flags: {
    archived: flag.toggle('also list archived datasets (local store)'),
    json: flag.JSON_ALONE,
    ...PLACE_FLAGS,
  },
  help: `
Examples:
  $ assay dataset list
  $ assay dataset list --json | jq -r '.[].name'`,
  async run({ archived, ...flags }) {
    const isLocal = !isLangfuse(flags);
    const datasets = !isLocal
      ? await withBackend(flags, serverDatasets)
      : hasLocalStore(flags)
        ? await withLocalStore(flags, (store) => localDatasets(store, archived))
        : [];
    const place = isLocal ? localFolder(flags) : 'this project of Langfuse';
    return { json: () => safeJson(datasets), document: () => datasetList(datasets, place) };
  },
});

/** Straight from the store, which also knows archived datasets and numbers of items. */
function localDatasets({ datasets }: Store, archived: boolean): DatasetRow[] {
  const all: DatasetRow[] = [];
  for (let page = 1; ; page += 1) {
    const { rows, total } = datasets.list({ page, limit: 100 }, { archived });
    for (const row of rows)
      all.push({ ...row, items: datasets.listItems({ datasetId: row.id }, { page: 1, limit: 1 }).total });
    if (page * 100 >= total) return all.sort((a, b) => compareText(a.name, b.name));
  }
}

async function serverDatasets(backend: Backend): Promise<DatasetRow[]> {
  return (await backend.datasets()).map((dataset) => ({ ...dataset, items: null }));
}

function datasetList(datasets: readonly DatasetRow[], place: string): Document {
  if (datasets.length === 0)
    return {
      title: `There is no dataset in ${place} yet.`,
      sections: [{ blocks: [{ text: 'Start with: assay dataset import NAME FILE', whole: true }] }],
    };
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

function unfinished(dataset: DatasetRecord) {
  const notice = unfinishedNotice(dataset);
  return notice === null ? null : { text: notice, mark: 'warning' as const };
}

export function schemasText({ inputSchema, expectedOutputSchema }: DatasetRecord): string {
  const has = [...(inputSchema === null ? [] : ['input']), ...(expectedOutputSchema === null ? [] : ['expected'])];
  return has.length === 0 ? 'none' : has.join(', ');
}
