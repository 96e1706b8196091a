import type { Store } from '../../store/store.ts';
import type { ExperimentSummary } from '../../store/runs.ts';
import { listExperiments } from '../../langfuse/shapes/experiments.ts';
import { flatMetadata } from './flat-metadata.ts';
import { earlier, scan } from './pages.ts';
import type { Serve } from './route.ts';
import { type Columns, rowFilter } from './row-filter.ts';
import { scoreV3Answer } from './scores-v3.ts';

const COLUMNS: Columns<ExperimentSummary> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  datasetId: ({ datasetId }) => datasetId,
};
const SCORE_FIELDS = new Set(['details', 'subject'] as const);

export function serveExperiments(serve: Serve, store: Store): void {
  serve(listExperiments, ({ query }) => {
    const { fields, scoreLimit } = query;
    const filter = {
      ids: query.id,
      names: query.name,
      datasetIds: query.datasetId,
      fromTime: query.fromStartTime,
    };
    const { rows, meta } = scan({
      list: (page, until) => store.runs.experiments({ ...filter, toTime: earlier(query.toStartTime, until) }, page),
      time: ({ startTime }) => startTime,
      limit: query.limit,
      cursor: query.cursor,
      isKept: rowFilter(query.filter, COLUMNS),
    });
    const data = rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      startTime: row.startTime,
      endTime: row.endTime ?? row.startTime,
      itemCount: row.items,
      datasetId: row.datasetId,
      ...(fields?.has('metadata') === true ? { metadata: flatMetadata(row.metadata) } : {}),
      ...(fields?.has('scores') === true ? { scores: scoresOf(store, row.id, scoreLimit) } : {}),
    }));
    return { data, meta };
  });
}

function scoresOf(store: Store, experimentId: string, limit: number) {
  const { rows } = store.scores.list({ datasetRunIds: [experimentId] }, { page: 1, limit });
  return rows.map((score) => scoreV3Answer(score, SCORE_FIELDS));
}
