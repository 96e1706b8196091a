import { randomUUID } from 'node:crypto';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import { idOfOther } from '../../experiment/datasets/names.ts';
import { defined } from '../../experiment/defined.ts';
import type { DatasetInit, DatasetItemInit, DatasetItemRecord, DatasetRecord } from '../../store/records.ts';
import { jsonText } from '../../store/text-like-json.ts';
import { compareText } from '../../text/compare.ts';
import { langfuseSchema } from '../dataset-schema.ts';
import { datasetAnswer, itemAnswer } from './answers.ts';
import { Unavailable } from './calls.ts';
import { type Connection, isPathPart } from './connection.ts';
import { eachValue, itemRefusal, itemRequest, type ItemValues, refusalText, refuseTexts } from './item-request.ts';
import { allPages, numberedPage, PAGE_SIZE } from './pages.ts';

const itemPage = numberedPage(itemAnswer);

export async function listDatasets(connection: Connection): Promise<DatasetRecord[]> {
  const { datasets } = connection.api;
  const all = await allPages(connection, 'list datasets', datasetAnswer, (...page) => datasets.list(...page), 'make');
  return (all ?? []).map((one) => withoutNotes(one).dataset).sort((a, b) => compareText(a.name, b.name));
}

export async function getDataset(connection: Connection, name: string): Promise<DatasetRecord | null> {
  const found = await datasetWithNotes(connection, name);
  return found === null ? null : withoutNotes(found).dataset;
}

async function datasetWithNotes({ api, calls }: Connection, name: string): Promise<DatasetRecord | null> {
  if (!isPathPart(name)) return null;
  return calls.find(`read the dataset ${shown(name)}`, datasetAnswer, (options) => api.datasets.get(name, options));
}

export async function saveDataset(
  connection: Connection,
  { name, description, inputSchema, expectedOutputSchema, metadata }: DatasetInit,
  archived?: readonly string[],
): Promise<DatasetRecord> {
  const { api, calls } = connection;
  if (!isPathPart(name)) throw new UsageError(`${shown(name)} cannot be the name of a dataset in Langfuse`);
  const notes = metadata === undefined ? [] : (archived ?? (await notedItems(connection, name)));
  const request = {
    name,
    ...defined({
      description: description ?? undefined,
      metadata: withNotes(metadata, notes),
      inputSchema: langfuseSchema(inputSchema, 'the input schema'),
      expectedOutputSchema: langfuseSchema(expectedOutputSchema, 'the schema of expected outputs'),
    }),
  };
  refuseTexts(`the dataset ${shown(name)}`, request);
  const saved = await calls.make(`save the dataset ${shown(name)}`, datasetAnswer, (options) =>
    api.datasets.create(request, options),
  );
  return withoutNotes(saved).dataset;
}

async function notedItems(connection: Connection, name: string): Promise<readonly string[]> {
  const dataset = await datasetWithNotes(connection, name);
  return dataset === null ? [] : withoutNotes(dataset).archived;
}

/**
 * The oldest first. Langfuse lists the newest first, so its pages are read from the last one on, and each backwards.
 * Archived items are in no list of Langfuse's: those that were archived from here come last, by their ids. Older servers
 * that do list them say so by their status.
 */
export async function* listItems(
  connection: Connection,
  dataset: string,
  { archived = false, at }: { readonly archived?: boolean; readonly at?: string } = {},
): AsyncGenerator<DatasetItemRecord> {
  const first = await itemsOn(connection, dataset, 1, at);
  const { totalItems, totalPages } = first.meta;
  const seen = new Set<string>();
  for (let page = Math.max(1, totalPages); page >= 1; page -= 1) {
    const { data, meta } = page === 1 ? first : await itemsOn(connection, dataset, page, at);
    if (meta.totalItems !== totalItems) throw changedMeanwhile(dataset);
    for (const item of data.toReversed()) {
      if (seen.has(item.id)) throw changedMeanwhile(dataset);
      seen.add(item.id);
      if (archived || item.status === 'ACTIVE') yield item;
    }
  }
  if (seen.size !== totalItems) throw changedMeanwhile(dataset);
  if (!archived) return;
  for (const id of await notedItems(connection, dataset)) {
    const item = seen.has(id) ? null : await getItem(connection, id);
    if (isArchivedOf(item, dataset)) yield item;
  }
}

/** Archived or not. */
export async function getItem({ api, calls }: Connection, id: string): Promise<DatasetItemRecord | null> {
  if (!isPathPart(id)) return null;
  return calls.find(`read the item ${shown(id)}`, itemAnswer, (options) => api.datasetItems.get(id, options));
}

/** Makes or changes them, one after the other: Langfuse keeps items in the order in which they come in. */
export async function saveItems(
  connection: Connection,
  dataset: string,
  items: readonly DatasetItemInit[],
): Promise<DatasetItemRecord[]> {
  for (const item of items) {
    const refusal = itemRefusal(dataset, item);
    if (refusal !== null) throw new UsageError(refusalText(`the item ${shown(item.id ?? '')}`, refusal), refusal.next);
  }
  const saved: DatasetItemRecord[] = [];
  for (const item of items) saved.push(await saveItem(connection, dataset, item));
  const archived = saved.filter(({ status }) => status === 'ARCHIVED').map(({ id }) => id);
  const restored = items.flatMap(({ id, status }) => (id !== undefined && status === 'ACTIVE' ? [id] : []));
  if (archived.length + restored.length > 0) await noteArchived(connection, dataset, archived, new Set(restored));
  return saved;
}

/** Adds archived items to the list in the dataset's metadata, and takes restored ones off. */
async function noteArchived(
  connection: Connection,
  name: string,
  ids: readonly string[],
  restored: ReadonlySet<string>,
): Promise<void> {
  const found = await datasetWithNotes(connection, name);
  if (found === null) return;
  const { dataset, archived } = withoutNotes(found);
  const listed = new Set(archived);
  if (ids.every((id) => listed.has(id)) && restored.isDisjointFrom(listed)) return;
  const stillArchived = archived.filter((id) => !restored.has(id));
  await saveDataset(connection, { name, metadata: dataset.metadata }, [...stillArchived, ...ids]);
}

async function saveItem(
  connection: Connection,
  dataset: string,
  { id, ...rest }: DatasetItemInit,
): Promise<DatasetItemRecord> {
  const { api, calls } = connection;
  const unchangedTexts = id === undefined ? {} : await keptTexts(connection, id, rest);
  // Without an id, a call whose answer was lost would make a second item when it is made again.
  const item = { ...unchangedTexts, ...rest, id: id ?? randomUUID() };
  const request = itemRequest(dataset, item);
  const save = (values: ItemValues) =>
    calls
      .make(`save the item ${shown(item.id)} of ${shown(dataset)}`, itemAnswer, (options) =>
        api.datasetItems.create({ ...request, ...values }, options),
      )
      .catch((error: unknown) => refusedItem(connection, dataset, item.id, error));
  const saved = await save({});
  // Older servers keep a text as it comes, newer ones take null for absent: then it is sent again their way.
  const adapted = eachValue(item, (value, field) => {
    if (typeof value === 'string' && saved[field] !== value && saved[field] === jsonText(value)) return value;
    return value === null && saved[field] !== null ? 'null' : undefined;
  });
  return Object.keys(adapted).length === 0 ? saved : save(adapted);
}

/** Throws why an item was refused: Langfuse does not name the dataset that has its id. */
async function refusedItem(connection: Connection, dataset: string, id: string, error: unknown): Promise<never> {
  const existing =
    error instanceof UsageError && !(error instanceof Unavailable) ? await getItem(connection, id) : null;
  if (existing === null || existing.datasetName === dataset) throw error;
  const { message, next } = idOfOther(id, existing.datasetName);
  throw new UsageError(message, next);
}

/** Langfuse reads the texts of an item again with every change, so those that a change leaves out are sent with it. */
async function keptTexts(connection: Connection, id: string, change: ItemValues): Promise<ItemValues> {
  if (change.input !== undefined && change.expectedOutput !== undefined) return {};
  const item = await getItem(connection, id);
  return item === null ? {} : eachValue(item, (value) => (typeof value === 'string' ? value : undefined));
}

async function itemsOn({ api, calls }: Connection, datasetName: string, page: number, version?: string) {
  const request = { datasetName, page, limit: PAGE_SIZE, ...defined({ version }) };
  return calls.make(`read the items of ${shown(datasetName)}`, itemPage, (options) =>
    api.datasetItems.list(request, options),
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

/**
 * In a dataset's metadata: the ids of the items that were archived from here. Langfuse lists no archived items and
 * answers only for those whose ids are known.
 */
const ARCHIVED = 'assay_archived_items';

/** The dataset as others see it, and the ids that are noted in it. */
function withoutNotes(dataset: DatasetRecord): { readonly dataset: DatasetRecord; readonly archived: string[] } {
  const { metadata } = dataset;
  if (!isRecord(metadata)) return { dataset, archived: [] };
  const { [ARCHIVED]: noted, ...rest } = metadata;
  const archived = Array.isArray(noted) ? noted.filter((id) => typeof id === 'string') : [];
  // Metadata that were removed are empty in Langfuse.
  return { dataset: { ...dataset, metadata: Object.keys(rest).length === 0 ? null : rest }, archived };
}

/** Metadata with the ids noted; unchanged if they are no object. None are sent as {}: null would leave what is there. */
function withNotes(metadata: unknown, archived: readonly string[]): unknown {
  const isFull = metadata !== null && metadata !== undefined && !isRecord(metadata);
  if (isFull || archived.length === 0) return metadata === null ? {} : metadata;
  return { ...metadata, [ARCHIVED]: [...new Set(archived)].toSorted(compareText) };
}

function isArchivedOf(item: DatasetItemRecord | null, dataset: string): item is DatasetItemRecord {
  return item?.status === 'ARCHIVED' && item.datasetName === dataset;
}
