import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import { datasetsApi } from '../../langfuse/shapes/datasets.ts';
import type { DatasetItemRecord, DatasetRunRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { checkPathName } from '../guard.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';
import { datasetNamed } from './datasets.ts';
import { pageAnswer } from './pages.ts';
import { metadataRecord } from './readable-values.ts';

export function datasetRunRoutes(store: Store): ApiRoute[] {
  const runOf = (part: (name: string) => string): DatasetRunRecord => {
    const [dataset, name] = [part('name'), part('run')];
    const run = store.runs.get(datasetNamed(store, dataset).name, name);
    return existing(run, `The run ${visible(name)} of the dataset ${visible(dataset)}`);
  };
  return [
    apiRoute(datasetsApi.listDatasetRuns, ({ part, query }) =>
      pageAnswer(query, store.runs.list(datasetNamed(store, part('name')).name, query), (run) => run),
    ),
    apiRoute(datasetsApi.getDatasetRun, ({ part }) => {
      const run = runOf(part);
      return { ...run, datasetRunItems: store.runs.items(run.id) };
    }),
    apiRoute(datasetsApi.deleteDatasetRun, ({ part }) => {
      const { datasetName, name } = runOf(part);
      store.runs.delete(datasetName, name);
      return { message: 'The dataset run is deleted.' };
    }),
    apiRoute(datasetsApi.createDatasetRunItem, ({ body }) => {
      checkPathName('runName', body.runName);
      return store.transaction(() => {
        const item = activeItem(store, body.datasetItemId, body.datasetVersion);
        const traceId = body.traceId ?? traceOf(store, body.observationId);
        const { datasetVersion: dataset_version } = body;
        // As Langfuse does, the version of the dataset is kept in the metadata.
        const metadata =
          dataset_version === undefined ? body.metadata : { ...metadataRecord(body.metadata), dataset_version };
        const run = store.runs.save({
          ...defined({ description: body.runDescription, metadata }),
          datasetName: item.datasetName,
          name: body.runName,
        });
        return store.runs.link({ runId: run.id, itemId: item.id, traceId, observationId: body.observationId ?? null });
      });
    }),
    apiRoute(datasetsApi.listDatasetRunItems, ({ query: { datasetId, runName, ...page } }) => {
      const dataset = store.datasets.byId(datasetId);
      const run = dataset === null ? null : store.runs.get(dataset.name, runName);
      existing(run, `The run ${visible(runName)} of that dataset`);
      return pageAnswer(page, store.runs.listItems({ datasetId, runName }, page), (item) => item);
    }),
  ];
}

/** Now, or at the time of a version. */
function activeItem(store: Store, id: string, at: string | undefined): DatasetItemRecord {
  const now = store.datasets.item(id);
  const item =
    now === null || at === undefined
      ? now
      : Iterator.from(store.datasets.items(now.datasetName, { at })).find((one) => one.id === id);
  return existing(item?.status === 'ACTIVE' ? item : null, `The dataset item ${visible(id)}`);
}

/** Older SDKs send the observation only. */
function traceOf(store: Store, observationId: string | undefined): string {
  if (observationId === undefined) throw new Refusal(400, 'traceId: expected the trace of the item');
  return existing(store.traces.observation(observationId), `The observation ${visible(observationId)}`).traceId;
}
