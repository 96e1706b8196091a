import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import { datasetsApi } from '../../langfuse/shapes/datasets.ts';
import { experimentsApi } from '../../langfuse/shapes/experiments.ts';
import type { DatasetItemRecord, DatasetRunRecord, ExperimentLink, ObservationRecord } from '../../store/records.ts';
import type { StoredExperiment } from '../../store/runs.ts';
import type { Store } from '../../store/store.ts';
import { checkPathName } from '../guard.ts';
import { existing, Refusal } from '../refusal.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';
import { datasetNamed } from './datasets.ts';
import { levelOf } from './observations.ts';
import { groupFields, pageAnswer, scan } from './pages.ts';
import { flatMetadata, metadataRecord, rawText } from './readable-values.ts';
import { type Columns, rowFilter } from './row-filter.ts';
import { scoreV3Answer } from './scores.ts';

type ExperimentAnswer = z.input<typeof experimentsApi.listExperiments.answer>['data'][number];
type ItemAnswer = z.input<typeof experimentsApi.listExperimentItems.answer>['data'][number];

const EXPERIMENT_COLUMNS: Columns<StoredExperiment> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  datasetId: ({ datasetId }) => datasetId,
};
const ITEM_COLUMNS: Columns<ObservationRecord> = {
  experimentId: ({ experiment }) => experiment?.experimentId,
  experimentName: ({ experiment }) => experiment?.experimentName,
  experimentItemId: ({ experiment }) => experiment?.itemId,
  datasetId: ({ experiment }) => experiment?.datasetId,
};
const SCORE_FIELDS = new Set(['details', 'subject']);

export function experimentRoutes(store: Store): ApiRoute[] {
  const scoresOf = (filter: Parameters<typeof store.scores.list>[0], limit: number) => ({
    scores: store.scores.list(filter, { page: 1, limit }).rows.map((score) => scoreV3Answer(score, SCORE_FIELDS)),
  });
  const experimentAnswer = (experiment: StoredExperiment, groups: ReadonlySet<string>, scoreLimit: number) => {
    const { id, items: itemCount, metadata, startTime, endTime, ...fields } = experiment;
    return {
      ...fields,
      id,
      startTime,
      endTime: endTime ?? startTime,
      itemCount,
      ...groupFields<ExperimentAnswer>(groups, {
        metadata: () => ({ metadata: flatMetadata(metadata) }),
        scores: () => scoresOf({ datasetRunIds: [id] }, scoreLimit),
      }),
    };
  };
  const itemAnswer = (
    row: ObservationRecord,
    link: ExperimentLink,
    groups: ReadonlySet<string>,
    scoreLimit: number,
  ): ItemAnswer => ({
    id: row.id,
    traceId: row.traceId,
    startTime: row.startTime,
    endTime: row.endTime,
    level: levelOf(row),
    environment: row.environment,
    experimentId: link.experimentId,
    experimentName: link.experimentName,
    experimentItemId: link.itemId,
    ...groupFields<ItemAnswer>(groups, {
      dataset: () => ({ experimentDatasetId: link.datasetId, experimentItemVersion: null }),
      io: () => ({
        input: rawText(row.input),
        output: rawText(row.output),
        expectedOutput: rawText(link.itemExpectedOutput),
      }),
      metadata: () => ({ metadata: flatMetadata(row.metadata) }),
      itemMetadata: () => ({ experimentItemMetadata: flatMetadata(link.itemMetadata) }),
      experimentMetadata: () => ({
        experimentMetadata: flatMetadata(link.experimentMetadata),
        experimentDescription: link.experimentDescription,
      }),
      // On the item and on its trace.
      scores: () => scoresOf({ traceIds: [row.traceId] }, scoreLimit),
    }),
  });
  return [
    apiRoute(experimentsApi.listExperiments, ({ query }) => {
      const { id: ids, name: names, datasetId: datasetIds, fromStartTime: fromTime } = query;
      const { rows, meta } = scan({
        query,
        to: query.toStartTime,
        list: (page, toTime) => store.runs.experiments({ ids, names, datasetIds, fromTime, toTime }, page),
        time: ({ startTime }) => startTime,
        isKept: rowFilter(query.filter, EXPERIMENT_COLUMNS),
      });
      return { data: rows.map((row) => experimentAnswer(row, query.fields ?? new Set(), query.scoreLimit)), meta };
    }),
    apiRoute(experimentsApi.listExperimentItems, ({ query }) => {
      const filter = {
        experimentIds: query.experimentId,
        experimentNames: query.experimentName,
        itemIds: query.experimentItemId,
        datasetIds: query.datasetId,
        fromTime: query.fromStartTime,
      };
      const { rows, meta } = scan({
        query,
        to: query.toStartTime,
        list: (page, toTime) => store.runs.experimentItems({ ...filter, toTime }, page),
        time: ({ startTime }) => startTime,
        isKept: rowFilter(query.filter, ITEM_COLUMNS),
      });
      const groups = query.fields ?? new Set(['dataset']);
      const answer = (row: ObservationRecord) =>
        row.experiment === null ? [] : [itemAnswer(row, row.experiment, groups, query.scoreLimit)];
      return { data: rows.flatMap(answer), meta };
    }),
  ];
}

/** The same as Langfuse 3 has it: runs of a dataset, and links from its items to traces. */
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
