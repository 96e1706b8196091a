import { isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { createDatasetRunItem, listDatasetRunItems } from '../../langfuse/shapes/dataset-run-items.ts';
import { isClimbingName } from '../climbing-path.ts';
import { pageMeta } from './pages.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serve } from './route.ts';

export function serveDatasetRunItems(serve: Serve, store: Store): void {
  serve(createDatasetRunItem, ({ body }) => {
    if (isClimbingName(body.runName)) throw new Refusal(400, 'runName: this one could not be asked for in a path');
    return store.transaction(() => {
      const item = activeItem(store, body.datasetItemId, body.datasetVersion);
      const traceId = body.traceId ?? traceOf(store, body.observationId);
      const metadata = runMetadata(body.metadata, body.datasetVersion);
      const run = store.runs.save({
        datasetName: item.datasetName,
        name: body.runName,
        ...(body.runDescription === undefined ? {} : { description: body.runDescription }),
        ...(metadata === undefined ? {} : { metadata }),
      });
      return store.runs.link({ runId: run.id, itemId: item.id, traceId, observationId: body.observationId ?? null });
    });
  });
  serve(listDatasetRunItems, ({ query }) => {
    const { datasetId, runName, ...page } = query;
    const dataset = store.datasets.byId(datasetId);
    if (dataset === null || store.runs.get(dataset.name, runName) === null) {
      throw notFound(`The run ${visible(runName)} of that dataset`);
    }
    const { rows, total } = store.runs.listItems({ datasetId, runName }, page);
    return { data: [...rows], meta: pageMeta(page, total) };
  });
}

/** Now, or at the time of a version. */
function activeItem(store: Store, id: string, at: string | undefined): DatasetItemRecord {
  const item = store.datasets.item(id);
  const then =
    item === null || at === undefined
      ? item
      : Iterator.from(store.datasets.items(item.datasetName, { at })).find((one) => one.id === id);
  if (then?.status !== 'ACTIVE') throw notFound(`The dataset item ${visible(id)}`);
  return then;
}

/** Older SDKs gave the observation only. */
function traceOf(store: Store, observationId: string | undefined): string {
  if (observationId === undefined) throw new Refusal(400, 'traceId: expected the trace of the item');
  const observation = store.traces.observation(observationId);
  if (observation === null) throw notFound(`The observation ${visible(observationId)}`);
  return observation.traceId;
}

/** The version of the dataset is told among the metadata, as Langfuse does. */
function runMetadata(metadata: unknown, version: string | undefined): unknown {
  if (version === undefined) return metadata;
  const given = isRecord(metadata) ? metadata : metadata == null ? {} : { metadata };
  return { ...given, dataset_version: version };
}
