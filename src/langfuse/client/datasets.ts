import { randomUUID } from 'node:crypto';

import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { DatasetInit, DatasetItemInit, DatasetItemRecord, DatasetRecord } from '../../store/records.ts';
import { compareText } from '../../text/compare.ts';
import { langfuseSchema } from '../dataset-schema.ts';
import { datasetAnswer, itemAnswer } from './answers.ts';
import type { Connection } from './connection.ts';
import { isPathPart } from './path-part.ts';
import { allPages, numberedPage, PAGE_SIZE, type NumberedPage } from './pages.ts';

const datasetPage = numberedPage(datasetAnswer);
const itemPage = numberedPage(itemAnswer);

export async function listDatasets({ api, calls }: Connection): Promise<DatasetRecord[]> {
  const all = await allPages((page) =>
    calls.make('list datasets', datasetPage, (options) => api.datasets.list({ page, limit: PAGE_SIZE }, options)),
  );
  return (all ?? []).sort((a, b) => compareText(a.name, b.name));
}

export async function getDataset({ api, calls }: Connection, name: string): Promise<DatasetRecord | null> {
  if (!isPathPart(name)) return null;
  return calls.find(`read the dataset ${shown(name)}`, datasetAnswer, (options) => api.datasets.get(name, options));
}

export async function saveDataset(
  { api, calls }: Connection,
  { name, description, inputSchema, expectedOutputSchema, ...rest }: DatasetInit,
): Promise<DatasetRecord> {
  if (!isPathPart(name)) throw new UsageError(`${shown(name)} cannot be the name of a dataset in Langfuse`);
  const request = {
    name,
    ...(description === undefined || description === null ? {} : { description }),
    ...rest,
    ...(inputSchema === undefined ? {} : { inputSchema: langfuseSchema(inputSchema, 'the input schema') }),
    ...(expectedOutputSchema === undefined
      ? {}
      : { expectedOutputSchema: langfuseSchema(expectedOutputSchema, 'the schema of expected outputs') }),
  };
  return calls.make(`save the dataset ${shown(name)}`, datasetAnswer, (options) =>
    api.datasets.create(request, options),
  );
}

/**
 * The oldest first. Langfuse lists the newest first, so its pages are read from the last one on, and each backwards.
 * Archived items are in no list of Langfuse's; older servers that do list them say so by their status.
 */
export async function* listItems(
  connection: Connection,
  dataset: string,
  { archived = false }: { readonly archived?: boolean } = {},
): AsyncGenerator<DatasetItemRecord> {
  const first = await itemsOn(connection, dataset, 1);
  const { totalItems, totalPages } = first.meta;
  const seen = new Set<string>();
  for (let page = Math.max(1, totalPages); page >= 1; page -= 1) {
    const { data, meta } = page === 1 ? first : await itemsOn(connection, dataset, page);
    if (meta.totalItems !== totalItems) throw changedMeanwhile(dataset);
    for (const item of data.toReversed()) {
      if (seen.has(item.id)) throw changedMeanwhile(dataset);
      seen.add(item.id);
      if (archived || item.status === 'ACTIVE') yield item;
    }
  }
  if (seen.size !== totalItems) throw changedMeanwhile(dataset);
}

/** Makes or changes them, one after the other: Langfuse keeps items in the order in which they come in. */
export async function saveItems(
  connection: Connection,
  dataset: string,
  items: readonly DatasetItemInit[],
): Promise<DatasetItemRecord[]> {
  const saved: DatasetItemRecord[] = [];
  for (const item of items) saved.push(await saveItem(connection, dataset, item));
  return saved;
}

async function saveItem(
  { api, calls }: Connection,
  dataset: string,
  { id, sourceTraceId, sourceObservationId, ...rest }: DatasetItemInit,
): Promise<DatasetItemRecord> {
  const request = {
    ...rest,
    datasetName: dataset,
    // Without an id, a call whose answer was lost would make a second item when it is made again.
    id: id ?? randomUUID(),
    ...(sourceTraceId === undefined || sourceTraceId === null ? {} : { sourceTraceId }),
    ...(sourceObservationId === undefined || sourceObservationId === null ? {} : { sourceObservationId }),
  };
  return calls.make(`save the item ${shown(request.id)} of ${shown(dataset)}`, itemAnswer, (options) =>
    api.datasetItems.create(request, options),
  );
}

async function itemsOn(
  { api, calls }: Connection,
  datasetName: string,
  page: number,
): Promise<NumberedPage<DatasetItemRecord>> {
  return calls.make(`read the items of ${shown(datasetName)}`, itemPage, (options) =>
    api.datasetItems.list({ datasetName, page, limit: PAGE_SIZE }, options),
  );
}

function changedMeanwhile(dataset: string): UsageError {
  return new UsageError(
    `the dataset ${shown(dataset)} was changed in Langfuse while it was read`,
    'run the same command again',
  );
}

function shown(name: string): string {
  return visible(shorten(name));
}
