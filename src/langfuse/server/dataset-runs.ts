import { visible } from '../../data/visible.ts';
import type { DatasetRunRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { deleteDatasetRun, getDatasetRun, listDatasetRuns } from '../shapes/dataset-runs.ts';
import { findDataset } from './find-dataset.ts';
import { pageMeta } from './pages.ts';
import { notFound } from './refusal.ts';
import type { Serve } from './route.ts';

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
