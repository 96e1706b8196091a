import { z } from 'zod';

import { datasetItem } from './dataset-items.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
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

export const listDatasets = endpoint('GET', '/api/public/v2/datasets', {
  query: z.object(pageQuery),
  answer: pageOf(dataset),
});

export const getDataset = endpoint('GET', '/api/public/v2/datasets/:name', { answer: dataset });

/** Makes it, or changes the one of that name. */
export const createDataset = endpoint('POST', '/api/public/v2/datasets', { request: createRequest, answer: dataset });

/** What older SDKs ask: all items at once, and the names of the runs. */
export const getDatasetWithItems = endpoint('GET', '/api/public/datasets/:name', {
  generation: 3,
  answer: dataset.extend({ items: z.array(datasetItem), runs: z.array(z.string()) }),
});
