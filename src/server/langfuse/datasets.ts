import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import type { DatasetInit, DatasetRecord, DatasetRunRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { deleteDatasetRun, getDatasetRun, listDatasetRuns } from '../../langfuse/shapes/dataset-runs.ts';
import { createDataset, getDataset, getDatasetWithItems, listDatasets } from '../../langfuse/shapes/datasets.ts';
import { isClimbingName } from '../climbing-path.ts';
import { datasetItemAnswer } from './dataset-items.ts';
import { findDataset } from './find-dataset.ts';
import { checkSchemas, itemProblem } from './item-schema.ts';
import { pageMeta } from './pages.ts';
import { PROJECT_ID } from './project.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';

const RUNS_AT_ONCE = 100;
const MOST_MISFITS = 10;

export function serveDatasets(serve: Serve, store: Store): void {
  serve(listDatasets, ({ query }) => {
    const { rows, total } = store.datasets.list(query);
    return { data: rows.map(datasetAnswer), meta: pageMeta(query, total) };
  });
  serve(getDataset, ({ part }) => datasetAnswer(findDataset(store, part('name'))));
  serve(createDataset, ({ body }) => {
    if (isClimbingName(body.name)) throw new Refusal(400, 'name: this one could not be asked for in a path');
    const init = { ...defined(body), name: body.name };
    return store.transaction(() => {
      checkItems(store, init);
      return datasetAnswer(store.datasets.save(init));
    });
  });
  serve(getDatasetWithItems, ({ part, mediaUrl }) => {
    const dataset = findDataset(store, part('name'));
    return {
      ...datasetAnswer(dataset),
      items: [...store.datasets.items(dataset.name)].map((item) => datasetItemAnswer(store, item, mediaUrl)),
      runs: runNames(store, dataset.name),
    };
  });
}

function datasetAnswer(dataset: DatasetRecord) {
  const { archived: _, ...fields } = dataset;
  return { ...fields, projectId: PROJECT_ID };
}

/** A new schema has to fit what is there already. */
function checkItems(store: Store, init: DatasetInit): void {
  checkSchemas({ inputSchema: init.inputSchema, expectedOutputSchema: init.expectedOutputSchema });
  const before = store.datasets.get(init.name);
  const schemas = {
    input: init.inputSchema === undefined ? before?.inputSchema : init.inputSchema,
    expectedOutput: init.expectedOutputSchema === undefined ? before?.expectedOutputSchema : init.expectedOutputSchema,
  };
  // Without items, the schemas themselves are still looked at.
  itemProblem({ input: null, expectedOutput: null }, schemas);
  const isNew = init.inputSchema !== undefined || init.expectedOutputSchema !== undefined;
  if (before === null || !isNew) return;
  const misfits: string[] = [];
  for (const item of store.datasets.items(init.name, { archived: true })) {
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

export function serveDatasetRuns(serve: Serve, store: Store): void {
  serve(listDatasetRuns, ({ part, query }) => {
    const { rows, total } = store.runs.list(findDataset(store, part('name')).name, query);
    return { data: [...rows], meta: pageMeta(query, total) };
  });
  serve(getDatasetRun, ({ part }) => {
    const run = runOf(store, part('name'), part('run'));
    return { ...run, datasetRunItems: store.runs.items(run.id) };
  });
  serve(deleteDatasetRun, ({ part }) => {
    const run = runOf(store, part('name'), part('run'));
    store.runs.delete(run.datasetName, run.name);
    return { message: 'The dataset run is deleted.' };
  });
}

function runOf(store: Store, dataset: string, name: string): DatasetRunRecord {
  const run = store.runs.get(findDataset(store, dataset).name, name);
  if (run === null) throw notFound(`The run ${visible(name)} of the dataset ${visible(dataset)}`);
  return run;
}
