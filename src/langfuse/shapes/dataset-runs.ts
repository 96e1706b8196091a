import { z } from 'zod';

import { datasetRunItem } from './dataset-run-items.ts';
import { endpoint, messageAnswer } from './endpoint.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { deprecation, json, time } from './values.ts';

const datasetRun = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  metadata: json,
  datasetId: z.string(),
  datasetName: z.string(),
  createdAt: time,
  updatedAt: time,
});

export const listDatasetRuns = endpoint('GET', '/api/public/datasets/:name/runs', {
  generation: 3,
  query: z.object(pageQuery),
  answer: z.strictObject({ data: z.array(datasetRun), meta: pageMeta, _deprecation: deprecation }),
});

export const getDatasetRun = endpoint('GET', '/api/public/datasets/:name/runs/:run', {
  generation: 3,
  answer: datasetRun.extend({ datasetRunItems: z.array(datasetRunItem), _deprecation: deprecation }),
});

export const deleteDatasetRun = endpoint('DELETE', '/api/public/datasets/:name/runs/:run', {
  generation: 3,
  answer: messageAnswer,
});
