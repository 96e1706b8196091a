import { isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import { schemasOf } from '../../experiment/datasets/validate-item.ts';
import { defined } from '../../experiment/defined.ts';
import * as shapes from '../../langfuse/shapes/datasets.ts';
import type { DatasetInit, DatasetItemRecord, DatasetRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { CONTROL_CHARACTERS } from '../../store/text-like-json.ts';
import { checkPathName } from '../climbing-path.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';
import { checkSchemas, itemProblem } from './item-schema.ts';
import { mediaReferences, type MediaUrlOf } from './media.ts';
import { pageAnswer } from './pages.ts';
import { PROJECT_ID } from './project.ts';
import { valueOfText } from './readable-values.ts';

const RUNS_AT_ONCE = 100;
const MOST_MISFITS = 10;

/** The dataset of that name, also an archived one. */
export function datasetNamed(store: Store, name: string): DatasetRecord {
  return existing(store.datasets.get(name), `The dataset ${visible(name)}`);
}

export function datasetRoutes(store: Store): ApiRoute[] {
  const answer = ({ archived: _, ...dataset }: DatasetRecord) => ({ ...dataset, projectId: PROJECT_ID });
  return [
    apiRoute(shapes.listDatasets, ({ query }) => pageAnswer(query, store.datasets.list(query), answer)),
    apiRoute(shapes.getDataset, ({ part }) => answer(datasetNamed(store, part('name')))),
    apiRoute(shapes.createDataset, ({ body }) => {
      checkPathName('name', body.name);
      const init = { ...defined(body), name: body.name };
      return store.transaction(() => {
        checkItems(store, init);
        return answer(store.datasets.save(init));
      });
    }),
    apiRoute(shapes.getDatasetWithItems, ({ part, mediaUrl }) => {
      const dataset = datasetNamed(store, part('name'));
      const items = [...store.datasets.items(dataset.name)].map((item) => itemAnswer(store, item, mediaUrl));
      return { ...answer(dataset), items, runs: runNames(store, dataset.name) };
    }),
  ];
}

/** New schemas have to fit the items that are there already. */
function checkItems(store: Store, { name, inputSchema, expectedOutputSchema }: DatasetInit): void {
  checkSchemas({ inputSchema, expectedOutputSchema });
  const before = store.datasets.get(name);
  const schemas = {
    input: inputSchema === undefined ? before?.inputSchema : inputSchema,
    expectedOutput: expectedOutputSchema === undefined ? before?.expectedOutputSchema : expectedOutputSchema,
  };
  // Without items, the schemas themselves are still checked.
  itemProblem({ input: null, expectedOutput: null }, schemas);
  if (before === null || (inputSchema === undefined && expectedOutputSchema === undefined)) return;
  const misfits: string[] = [];
  for (const item of store.datasets.items(name, { archived: true })) {
    const problem = itemProblem(item, schemas);
    if (problem !== null) misfits.push(`${visible(item.id)}: ${problem}`);
    if (misfits.length === MOST_MISFITS) break;
  }
  if (misfits.length === 0) return;
  const count = misfits.length === MOST_MISFITS ? `more than ${MOST_MISFITS}` : misfits.length;
  throw new Refusal(400, `Schema validation failed for ${count} item(s). Details: ${misfits.join('; ')}`);
}

function runNames(store: Store, dataset: string): string[] {
  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    const { rows, total } = store.runs.list(dataset, { page, limit: RUNS_AT_ONCE });
    names.push(...rows.map(({ name }) => name));
    if (page * RUNS_AT_ONCE >= total) return names;
  }
}

export function datasetItemRoutes(store: Store): ApiRoute[] {
  const itemName = (id: string): string => `The dataset item ${visible(id)}`;
  return [
    apiRoute(shapes.createDatasetItem, ({ body, mediaUrl }) => {
      const { datasetName, id, status, input, expectedOutput, metadata, ...sources } = body;
      if (id != null) checkPathName('id', id);
      return store.transaction(() => {
        const dataset = datasetNamed(store, datasetName);
        const before = id == null ? null : store.datasets.item(id);
        const init = defined({
          ...sources,
          id: id ?? undefined,
          status: status ?? undefined,
          input: keptValue(input ?? before?.input),
          expectedOutput: keptValue(expectedOutput ?? before?.expectedOutput),
          metadata: keptValue(metadata ?? before?.metadata),
        });
        const isEmpty = id == null && input == null;
        const problem = isEmpty ? 'Dataset item input cannot be null' : itemProblem(init, schemasOf(dataset));
        if (problem !== null) throw new Refusal(400, `Dataset item validation failed: ${problem}`);
        const [saved] = store.datasets.saveItems(datasetName, [init]);
        if (saved === undefined) throw new Error('an item was saved and is not there');
        return itemAnswer(store, saved, mediaUrl);
      });
    }),
    apiRoute(shapes.getDatasetItem, ({ part, mediaUrl }) =>
      itemAnswer(store, existing(store.datasets.item(part('id')), itemName(part('id'))), mediaUrl),
    ),
    apiRoute(shapes.listDatasetItems, ({ query, mediaUrl }) => {
      const { datasetName, version, sourceTraceId, sourceObservationId, ...page } = query;
      const datasetId = datasetName === undefined ? undefined : datasetNamed(store, datasetName).id;
      const filter = { datasetId, sourceTraceId, sourceObservationId, at: version };
      return pageAnswer(page, store.datasets.listItems(filter, page), (item) => itemAnswer(store, item, mediaUrl));
    }),
    apiRoute(shapes.deleteDatasetItem, ({ part }) => {
      existing(store.datasets.deleteItem(part('id')) || null, itemName(part('id')));
      return { message: 'The dataset item is deleted.' };
    }),
  ];
}

function itemAnswer(store: Store, item: DatasetItemRecord, mediaUrl: MediaUrlOf) {
  return { ...item, mediaReferences: mediaReferences(store, item, mediaUrl) };
}

/**
 * As Langfuse keeps it, and keeps it again with every change of the item: a text that is JSON becomes the value, an empty
 * one nothing, and control characters are taken out.
 */
function keptValue(value: unknown): unknown {
  return withoutControls(typeof value === 'string' ? valueOfText(value) : value);
}

function withoutControls(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROL_CHARACTERS, '');
  if (Array.isArray(value)) return value.map(withoutControls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutControls(inner)]));
}
