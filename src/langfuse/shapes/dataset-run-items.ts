import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { deprecation, givenTime, json, optional, time } from './values.ts';

export const datasetRunItem = z.strictObject({
  id: z.string(),
  datasetRunId: z.string(),
  datasetRunName: z.string(),
  datasetItemId: z.string(),
  traceId: z.string(),
  observationId: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
});

const createRequest = z.object({
  runName: z.string().min(1),
  runDescription: optional(z.string()),
  metadata: json,
  datasetItemId: z.string(),
  observationId: optional(z.string()),
  traceId: optional(z.string()),
  datasetVersion: optional(givenTime),
  createdAt: optional(givenTime),
});

/** The SDK's experiment runner asks this of both generations; Langfuse 4 shows only what spans say of themselves. */
export const createDatasetRunItem = endpoint('POST', '/api/public/dataset-run-items', {
  request: createRequest,
  answer: datasetRunItem,
});

export const listDatasetRunItems = endpoint('GET', '/api/public/dataset-run-items', {
  generation: 3,
  query: z.object({ datasetId: z.string(), runName: z.string(), ...pageQuery }),
  answer: z.strictObject({ data: z.array(datasetRunItem), meta: pageMeta, _deprecation: deprecation }),
});
