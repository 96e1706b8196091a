import type { z } from 'zod';

import type { ExperimentLink, ObservationRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { listExperimentItems } from '../../langfuse/shapes/experiment-items.ts';
import { flatMetadata, rawText } from './flat-metadata.ts';
import { levelOf } from './observation-facts.ts';
import { earlier, scan } from './pages.ts';
import type { Serve } from './route.ts';
import { type Columns, rowFilter } from './row-filter.ts';
import { scoreV3Answer } from './scores-v3.ts';

type Query = z.output<typeof listExperimentItems.query>;
type Answered = z.input<typeof listExperimentItems.answer>['data'][number];

const COLUMNS: Columns<ObservationRecord> = {
  experimentId: ({ experiment }) => experiment?.experimentId,
  experimentName: ({ experiment }) => experiment?.experimentName,
  experimentItemId: ({ experiment }) => experiment?.itemId,
  datasetId: ({ experiment }) => experiment?.datasetId,
};
const SCORE_FIELDS = new Set(['details', 'subject'] as const);

export function serveExperimentItems(serve: Serve, store: Store): void {
  serve(listExperimentItems, ({ query }) => {
    const filter = {
      experimentIds: query.experimentId,
      experimentNames: query.experimentName,
      itemIds: query.experimentItemId,
      datasetIds: query.datasetId,
      fromTime: query.fromStartTime,
    };
    const { rows, meta } = scan({
      list: (page, until) => store.runs.experimentItems({ ...filter, toTime: earlier(query.toStartTime, until) }, page),
      time: ({ startTime }) => startTime,
      limit: query.limit,
      cursor: query.cursor,
      isKept: rowFilter(query.filter, COLUMNS),
    });
    const data = rows.flatMap((row) => (row.experiment === null ? [] : [answerOf(store, row, row.experiment, query)]));
    return { data, meta };
  });
}

function answerOf(store: Store, row: ObservationRecord, link: ExperimentLink, query: Query): Answered {
  const groups = query.fields ?? new Set(['dataset'] as const);
  return {
    id: row.id,
    traceId: row.traceId,
    startTime: row.startTime,
    endTime: row.endTime,
    level: levelOf(row),
    environment: row.environment,
    experimentId: link.experimentId,
    experimentName: link.experimentName,
    experimentItemId: link.itemId,
    ...(groups.has('dataset') ? { experimentDatasetId: link.datasetId, experimentItemVersion: null } : {}),
    ...(groups.has('io')
      ? {
          input: rawText(row.input),
          output: rawText(row.output),
          expectedOutput: rawText(link.itemExpectedOutput),
        }
      : {}),
    ...(groups.has('metadata') ? { metadata: flatMetadata(row.metadata) } : {}),
    ...(groups.has('itemMetadata') ? { experimentItemMetadata: flatMetadata(link.itemMetadata) } : {}),
    ...(groups.has('experimentMetadata')
      ? {
          experimentMetadata: flatMetadata(link.experimentMetadata),
          experimentDescription: link.experimentDescription,
        }
      : {}),
    ...(groups.has('scores') ? { scores: scoresOf(store, row.traceId, query.scoreLimit) } : {}),
  };
}

/** On the item and on its trace. */
function scoresOf(store: Store, traceId: string, limit: number) {
  const { rows } = store.scores.list({ traceIds: [traceId] }, { page: 1, limit });
  return rows.map((score) => scoreV3Answer(score, SCORE_FIELDS));
}
