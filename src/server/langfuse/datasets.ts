import { isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import { UsageError } from '../../data/problems.ts';
import {
  hasSchemas,
  type ItemSchemas,
  type ItemValidator,
  makeItemValidator,
  schemasOf,
} from '../../experiment/datasets/validate-item.ts';
import { schemaRefusal } from '../../langfuse/dataset-schema.ts';
import { defined } from '../../experiment/defined.ts';
import { datasetsApi } from '../../langfuse/shapes/datasets.ts';
import type { DatasetInit, DatasetItemRecord, DatasetRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { CONTROL_CHARACTERS } from '../../store/text-like-json.ts';
import { checkPathName } from '../guard.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute, PROJECT_ID } from './api-route.ts';
import { mediaReferences, type MediaUrlOf } from './media.ts';
import { pageAnswer } from './pages.ts';
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
    apiRoute(datasetsApi.listDatasets, ({ query }) => pageAnswer(query, store.datasets.list(query), answer)),
    apiRoute(datasetsApi.getDataset, ({ part }) => answer(datasetNamed(store, part('name')))),
    apiRoute(datasetsApi.createDataset, ({ body }) => {
      const { name, description, metadata, ...schemas } = body;
      checkPathName('name', name);
      // As in Langfuse, null removes a schema and changes nothing else.
      const init = {
        name,
        ...defined({ description: description ?? undefined, metadata: metadata ?? undefined, ...schemas }),
      };
      return store.transaction(() => {
        checkItems(store, init);
        return answer(store.datasets.save(init));
      });
    }),
    apiRoute(datasetsApi.getDatasetWithItems, ({ part, mediaUrl }) => {
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
    apiRoute(datasetsApi.createDatasetItem, ({ body, mediaUrl }) => {
      const { datasetName, id, status, input, expectedOutput, metadata, sourceTraceId, sourceObservationId } = body;
      if (id != null) checkPathName('id', id);
      return store.transaction(() => {
        const dataset = datasetNamed(store, datasetName);
        const before = id == null ? null : store.datasets.item(id);
        const init = defined({
          sourceTraceId: sourceTraceId ?? undefined,
          sourceObservationId: sourceObservationId ?? undefined,
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
    apiRoute(datasetsApi.getDatasetItem, ({ part, mediaUrl }) =>
      itemAnswer(store, existing(store.datasets.item(part('id')), itemName(part('id'))), mediaUrl),
    ),
    apiRoute(datasetsApi.listDatasetItems, ({ query, mediaUrl }) => {
      const { datasetName, version, sourceTraceId, sourceObservationId, ...page } = query;
      const datasetId = datasetName === undefined ? undefined : datasetNamed(store, datasetName).id;
      const filter = { datasetId, sourceTraceId, sourceObservationId, at: version };
      return pageAnswer(page, store.datasets.listItems(filter, page), (item) => itemAnswer(store, item, mediaUrl));
    }),
    apiRoute(datasetsApi.deleteDatasetItem, ({ part }) => {
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

const EXPECTED = 'expected_output';
const KEPT_VALIDATORS = 64;
const FAULTS_SHOWN = 5;
/** A check of an item takes less than a millisecond. One this slow keeps everybody else waiting… */
const SLOW_MS = 100;
/** … and once a schema has done so for that long, nothing more is checked by it. */
const MOST_SLOW_MS = 3000;

/** Making one takes longer than checking by it, and items of one dataset come one by one. */
const validators = new Map<string, { readonly validate: ItemValidator; slowMs: number }>();

/** Refuses schemas that Langfuse refuses, in its words: the reason is not among them. */
function checkSchemas(schemas: Readonly<Record<string, unknown>>): void {
  const issues = Object.entries(schemas).flatMap(([name, schema]) => {
    const isAccepted = schema === undefined || schema === null || schemaRefusal(schema) === null;
    return isAccepted ? [] : [{ code: 'custom', path: [name], message: 'Must be a valid JSON Schema' }];
  });
  if (issues.length > 0) throw new Refusal(400, 'Invalid request data', { fields: { error: issues } });
}

/** What of an item does not fit the schemas of its dataset, or null. Schemas that cannot be used are refused. */
function itemProblem(item: Parameters<ItemValidator>[0], schemas: ItemSchemas): string | null {
  if (!hasSchemas(schemas)) return null;
  const faults = faultsOf(item, schemas);
  const isExpected = ({ path }: (typeof faults)[number]): boolean => path.startsWith(EXPECTED);
  const failed = [
    ['Input validation failed', faults.filter((fault) => !isExpected(fault))],
    ['Expected output validation failed', faults.filter(isExpected)],
  ] as const;
  const problems = failed.flatMap(([what, each]) => (each.length === 0 ? [] : [`${what}: ${faultList(each)}`]));
  return problems.length === 0 ? null : problems.join('; ');
}

function faultsOf(item: Parameters<ItemValidator>[0], schemas: ItemSchemas): ReturnType<ItemValidator> {
  try {
    const validator = validatorOf(schemas);
    if (validator.slowMs > MOST_SLOW_MS) throw new UsageError(TOO_SLOW);
    const start = performance.now();
    try {
      return validator.validate(item);
    } finally {
      const took = performance.now() - start;
      if (took > SLOW_MS) validator.slowMs += took;
    }
  } catch (error) {
    throw error instanceof UsageError ? new Refusal(400, error.message) : error;
  }
}

const TOO_SLOW = 'Checking by the schemas of this dataset takes too long, so that nothing more is checked by them.';

function validatorOf(schemas: ItemSchemas) {
  const key = JSON.stringify([schemas.input, schemas.expectedOutput]);
  const kept = validators.get(key) ?? { validate: makeItemValidator(schemas), slowMs: 0 };
  if (!validators.has(key) && validators.size >= KEPT_VALIDATORS) validators.clear();
  validators.set(key, kept);
  return kept;
}

function faultList(faults: ReturnType<ItemValidator>): string {
  // Files of items have another name for it.
  const shown = faults
    .slice(0, FAULTS_SHOWN)
    .map(({ path, message }) => `${path.replace(EXPECTED, 'expectedOutput')}: ${message}`);
  return `${shown.join(', ')}${faults.length > shown.length ? `, and ${faults.length - shown.length} more` : ''}`;
}
