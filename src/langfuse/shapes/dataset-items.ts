import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { givenTime, ITEM_STATUSES, json, time } from './values.ts';

const mediaReference = z.strictObject({
  field: z.enum(['input', 'expectedOutput', 'metadata']),
  referenceString: z.string(),
  jsonPath: z.string(),
  media: z.strictObject({
    mediaId: z.string(),
    contentType: z.string(),
    contentLength: z.number(),
    url: z.string(),
    urlExpiry: z.string(),
  }),
});

export const datasetItem = z.strictObject({
  id: z.string(),
  status: z.enum(ITEM_STATUSES),
  input: json,
  expectedOutput: json,
  metadata: json,
  sourceTraceId: z.string().nullable(),
  sourceObservationId: z.string().nullable(),
  datasetId: z.string(),
  datasetName: z.string(),
  createdAt: time,
  updatedAt: time,
  mediaReferences: z.array(mediaReference),
});

const createRequest = z.object({
  datasetName: z.string().min(1),
  id: z.string().min(1).max(255).nullish(),
  input: json,
  expectedOutput: json,
  metadata: json,
  sourceTraceId: z.string().nullish(),
  sourceObservationId: z.string().nullish(),
  status: z.enum(ITEM_STATUSES).nullish(),
});

const listQuery = z
  .object({
    datasetName: z.string().optional(),
    sourceTraceId: z.string().optional(),
    sourceObservationId: z.string().optional(),
    version: givenTime.optional(),
    ...pageQuery,
  })
  .refine(({ version, datasetName }) => version === undefined || datasetName !== undefined, {
    path: ['version'],
    error: 'datasetName has to be there too',
  });

/** Makes it, or changes the one of that id. */
export const createDatasetItem = endpoint('POST', '/api/public/dataset-items', {
  request: createRequest,
  answer: datasetItem,
});

export const getDatasetItem = endpoint('GET', '/api/public/dataset-items/:id', { answer: datasetItem });

export const listDatasetItems = endpoint('GET', '/api/public/dataset-items', {
  query: listQuery,
  answer: pageOf(datasetItem),
});

export const deleteDatasetItem = endpoint('DELETE', '/api/public/dataset-items/:id', { answer: messageAnswer });
