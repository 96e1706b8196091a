import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import * as v from './values.ts';

const ITEM_STATUSES = ['ACTIVE', 'ARCHIVED'] as const;

const dataset = z.strictObject({
  ...v.fields(v.anyText, 'id', 'name', 'projectId'),
  description: v.nullableText,
  metadata: v.anyJson,
  ...v.fields(z.unknown(), 'inputSchema', 'expectedOutputSchema'),
  ...v.fields(v.time, 'createdAt', 'updatedAt'),
});

const mediaReference = z.strictObject({
  field: z.enum(['input', 'expectedOutput', 'metadata']),
  ...v.fields(v.anyText, 'referenceString', 'jsonPath'),
  media: z.strictObject({
    ...v.fields(v.anyText, 'mediaId', 'contentType', 'url', 'urlExpiry'),
    contentLength: z.number(),
  }),
});

const datasetItem = z.strictObject({
  ...v.fields(v.anyText, 'id', 'datasetId', 'datasetName'),
  status: z.enum(ITEM_STATUSES),
  ...v.fields(v.anyJson, 'input', 'expectedOutput', 'metadata'),
  ...v.fields(v.nullableText, 'sourceTraceId', 'sourceObservationId'),
  ...v.fields(v.time, 'createdAt', 'updatedAt'),
  mediaReferences: z.array(mediaReference),
});

const datasetRun = z.strictObject({
  ...v.fields(v.anyText, 'id', 'name', 'datasetId', 'datasetName'),
  description: v.nullableText,
  metadata: v.anyJson,
  ...v.fields(v.time, 'createdAt', 'updatedAt'),
});

const datasetRunItem = z.strictObject({
  ...v.fields(v.anyText, 'id', 'datasetRunId', 'datasetRunName', 'datasetItemId', 'traceId'),
  observationId: v.nullableText,
  ...v.fields(v.time, 'createdAt', 'updatedAt'),
});

export const datasetsApi = {
  listDatasets: endpoint('GET', '/api/public/v2/datasets', {
    query: z.object(v.pageQuery),
    answer: v.pageOf(dataset),
  }),
  getDataset: endpoint('GET', '/api/public/v2/datasets/:name', { answer: dataset }),
  /** Makes it, or changes the one of that name. */
  createDataset: endpoint('POST', '/api/public/v2/datasets', {
    request: z.object({
      name: v.folderName,
      description: v.nullishText,
      ...v.fields(v.anyJson, 'metadata', 'inputSchema', 'expectedOutputSchema'),
    }),
    answer: dataset,
  }),
  /** What older SDKs ask: all items at once, and the names of the runs. */
  getDatasetWithItems: endpoint('GET', '/api/public/datasets/:name', {
    generation: 3,
    answer: dataset.extend({ items: z.array(datasetItem), runs: v.textList }),
  }),
  /** Makes it, or changes the one of that id. */
  createDatasetItem: endpoint('POST', '/api/public/dataset-items', {
    request: z.object({
      datasetName: z.string().min(1),
      id: z.string().min(1).max(255).nullish(),
      ...v.fields(v.anyJson, 'input', 'expectedOutput', 'metadata'),
      ...v.fields(v.nullishText, 'sourceTraceId', 'sourceObservationId'),
      status: z.enum(ITEM_STATUSES).nullish(),
    }),
    answer: datasetItem,
  }),
  getDatasetItem: endpoint('GET', '/api/public/dataset-items/:id', { answer: datasetItem }),
  listDatasetItems: endpoint('GET', '/api/public/dataset-items', {
    query: z
      .object({
        ...v.fields(v.optionalText, 'datasetName', 'sourceTraceId', 'sourceObservationId'),
        version: v.sentTime.optional(),
        ...v.pageQuery,
      })
      .refine(({ version, datasetName }) => version === undefined || datasetName !== undefined, {
        path: ['version'],
        error: 'datasetName has to be there too',
      }),
    answer: v.pageOf(datasetItem),
  }),
  deleteDatasetItem: endpoint('DELETE', '/api/public/dataset-items/:id', { answer: messageAnswer }),
  listDatasetRuns: endpoint('GET', '/api/public/datasets/:name/runs', {
    generation: 3,
    query: z.object(v.pageQuery),
    answer: v.deprecatedPageOf(datasetRun),
  }),
  getDatasetRun: endpoint('GET', '/api/public/datasets/:name/runs/:run', {
    generation: 3,
    answer: datasetRun.extend({ datasetRunItems: z.array(datasetRunItem), _deprecation: v.deprecation }),
  }),
  deleteDatasetRun: endpoint('DELETE', '/api/public/datasets/:name/runs/:run', {
    generation: 3,
    answer: messageAnswer,
  }),
  /** The SDK's experiment runner asks this of both generations; Langfuse 4 shows only attributes of the spans. */
  createDatasetRunItem: endpoint('POST', '/api/public/dataset-run-items', {
    request: z.object({
      runName: z.string().min(1),
      datasetItemId: v.anyText,
      metadata: v.anyJson,
      ...v.fields(v.optional(v.anyText), 'runDescription', 'observationId', 'traceId'),
      ...v.fields(v.optional(v.sentTime), 'datasetVersion', 'createdAt'),
    }),
    answer: datasetRunItem,
  }),
  listDatasetRunItems: endpoint('GET', '/api/public/dataset-run-items', {
    generation: 3,
    query: z.object({ ...v.fields(v.anyText, 'datasetId', 'runName'), ...v.pageQuery }),
    answer: v.deprecatedPageOf(datasetRunItem),
  }),
};
