import { z } from 'zod';

import { datasetItem } from './dataset-items.ts';
import { endpoint } from './endpoint.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { json, time } from './values.ts';

export const dataset = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  metadata: json,
  inputSchema: z.unknown(),
  expectedOutputSchema: z.unknown(),
  projectId: z.string(),
  createdAt: time,
  updatedAt: time,
});

const createRequest = z.object({
  name: z.string().min(1),
  description: z.string().nullish(),
  metadata: json,
  inputSchema: json,
  expectedOutputSchema: json,
});

export const listDatasets = endpoint({
  method: 'GET',
  path: '/api/public/v2/datasets',
  generation: 'both',
  query: z.object(pageQuery),
  answer: z.strictObject({ data: z.array(dataset), meta: pageMeta }),
  status: 200,
});

export const getDataset = endpoint({
  method: 'GET',
  path: '/api/public/v2/datasets/:name',
  generation: 'both',
  answer: dataset,
  status: 200,
});

/** Makes it, or changes the one of that name. */
export const createDataset = endpoint({
  method: 'POST',
  path: '/api/public/v2/datasets',
  generation: 'both',
  request: createRequest,
  answer: dataset,
  status: 200,
});

/** What older SDKs ask: all items at once, and the names of the runs. */
export const getDatasetWithItems = endpoint({
  method: 'GET',
  path: '/api/public/datasets/:name',
  generation: 3,
  answer: dataset.extend({ items: z.array(datasetItem), runs: z.array(z.string()) }),
  status: 200,
});
