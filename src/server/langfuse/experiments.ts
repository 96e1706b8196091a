import type { z } from 'zod';

import { experimentsApi } from '../../langfuse/shapes/experiments.ts';
import type { ExperimentLink, ObservationRecord } from '../../store/records.ts';
import type { StoredExperiment } from '../../store/runs.ts';
import type { Store } from '../../store/store.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';
import { levelOf } from './observations.ts';
import { groupFields, scan } from './pages.ts';
import { flatMetadata, rawText } from './readable-values.ts';
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
