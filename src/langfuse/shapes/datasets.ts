import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import { deprecatedPageOf, pageOf, pageQuery } from './paging.ts';
import * as values from './values.ts';

const { deprecation, fields, givenTime, json, nullableText, nullishText, optional, optionalText, text, time } = values;

const ITEM_STATUSES = ['ACTIVE', 'ARCHIVED'] as const;

const dataset = z.strictObject({
  ...fields(text, 'id', 'name', 'projectId'),
  description: nullableText,
  metadata: json,
  ...fields(z.unknown(), 'inputSchema', 'expectedOutputSchema'),
  ...fields(time, 'createdAt', 'updatedAt'),
});

const mediaReference = z.strictObject({
  field: z.enum(['input', 'expectedOutput', 'metadata']),
  ...fields(text, 'referenceString', 'jsonPath'),
  media: z.strictObject({ ...fields(text, 'mediaId', 'contentType', 'url', 'urlExpiry'), contentLength: z.number() }),
});

const datasetItem = z.strictObject({
  ...fields(text, 'id', 'datasetId', 'datasetName'),
  status: z.enum(ITEM_STATUSES),
  ...fields(json, 'input', 'expectedOutput', 'metadata'),
  ...fields(nullableText, 'sourceTraceId', 'sourceObservationId'),
  ...fields(time, 'createdAt', 'updatedAt'),
  mediaReferences: z.array(mediaReference),
});

const datasetRun = z.strictObject({
  ...fields(text, 'id', 'name', 'datasetId', 'datasetName'),
  description: nullableText,
  metadata: json,
  ...fields(time, 'createdAt', 'updatedAt'),
});

const datasetRunItem = z.strictObject({
  ...fields(text, 'id', 'datasetRunId', 'datasetRunName', 'datasetItemId', 'traceId'),
  observationId: nullableText,
  ...fields(time, 'createdAt', 'updatedAt'),
});

export const listDatasets = endpoint('GET', '/api/public/v2/datasets', {
  query: z.object(pageQuery),
  answer: pageOf(dataset),
});

export const getDataset = endpoint('GET', '/api/public/v2/datasets/:name', { answer: dataset });

/** Makes it, or changes the one of that name. */
export const createDataset = endpoint('POST', '/api/public/v2/datasets', {
  request: z.object({
    name: z.string().min(1),
    description: nullishText,
    ...fields(json, 'metadata', 'inputSchema', 'expectedOutputSchema'),
  }),
  answer: dataset,
});

/** What older SDKs ask: all items at once, and the names of the runs. */
export const getDatasetWithItems = endpoint('GET', '/api/public/datasets/:name', {
  generation: 3,
  answer: dataset.extend({ items: z.array(datasetItem), runs: values.texts }),
});

/** Makes it, or changes the one of that id. */
export const createDatasetItem = endpoint('POST', '/api/public/dataset-items', {
  request: z.object({
    datasetName: z.string().min(1),
    id: z.string().min(1).max(255).nullish(),
    ...fields(json, 'input', 'expectedOutput', 'metadata'),
    ...fields(nullishText, 'sourceTraceId', 'sourceObservationId'),
    status: z.enum(ITEM_STATUSES).nullish(),
  }),
  answer: datasetItem,
});

export const getDatasetItem = endpoint('GET', '/api/public/dataset-items/:id', { answer: datasetItem });

export const listDatasetItems = endpoint('GET', '/api/public/dataset-items', {
  query: z
    .object({
      ...fields(optionalText, 'datasetName', 'sourceTraceId', 'sourceObservationId'),
      version: givenTime.optional(),
      ...pageQuery,
    })
    .refine(({ version, datasetName }) => version === undefined || datasetName !== undefined, {
      path: ['version'],
      error: 'datasetName has to be there too',
    }),
  answer: pageOf(datasetItem),
});

export const deleteDatasetItem = endpoint('DELETE', '/api/public/dataset-items/:id', { answer: messageAnswer });

export const listDatasetRuns = endpoint('GET', '/api/public/datasets/:name/runs', {
  generation: 3,
  query: z.object(pageQuery),
  answer: deprecatedPageOf(datasetRun),
});

export const getDatasetRun = endpoint('GET', '/api/public/datasets/:name/runs/:run', {
  generation: 3,
  answer: datasetRun.extend({ datasetRunItems: z.array(datasetRunItem), _deprecation: deprecation }),
});

export const deleteDatasetRun = endpoint('DELETE', '/api/public/datasets/:name/runs/:run', {
  generation: 3,
  answer: messageAnswer,
});

/** The SDK's experiment runner asks this of both generations; Langfuse 4 shows only attributes of the spans. */
export const createDatasetRunItem = endpoint('POST', '/api/public/dataset-run-items', {
  request: z.object({
    runName: z.string().min(1),
    datasetItemId: text,
    metadata: json,
    ...fields(optional(text), 'runDescription', 'observationId', 'traceId'),
    ...fields(optional(givenTime), 'datasetVersion', 'createdAt'),
  }),
  answer: datasetRunItem,
});

export const listDatasetRunItems = endpoint('GET', '/api/public/dataset-run-items', {
  generation: 3,
  query: z.object({ ...fields(text, 'datasetId', 'runName'), ...pageQuery }),
  answer: deprecatedPageOf(datasetRunItem),
});
