import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import { scoreV2 } from './scores.ts';
import * as v from './values.ts';

const MOST_OBSERVATIONS = 1000;
const PRICES = ['inputPrice', 'outputPrice', 'totalPrice'] as const;
const COSTS = ['inputCost', 'outputCost', 'totalCost'] as const;

const usage = z.strictObject({
  ...v.fields(z.number(), 'input', 'output', 'total'),
  unit: v.nullableText,
  ...v.fields(z.number().optional(), ...COSTS),
});

export const observationShape = z.strictObject({
  ...v.fields(v.anyText, 'id', 'type', 'environment'),
  ...v.fields(v.nullableText, 'traceId', 'name', 'model', 'version', 'statusMessage', 'parentObservationId'),
  ...v.fields(v.nullableText, 'promptId', 'promptName', 'modelId'),
  startTime: v.time,
  ...v.fields(v.time.nullable(), 'endTime', 'completionStartTime'),
  ...v.fields(v.anyJson, 'modelParameters', 'input', 'metadata', 'output'),
  usage,
  level: z.enum(v.LEVELS),
  ...v.fields(v.numbersByName, 'usageDetails', 'costDetails'),
  ...v.fields(z.number().nullable(), 'promptVersion', 'latency', 'timeToFirstToken', ...PRICES),
  ...v.fields(z.number().nullable(), 'calculatedInputCost', 'calculatedOutputCost', 'calculatedTotalCost'),
});

/** What observations of both generations can be narrowed to. */
const observationQuery = {
  ...v.fields(v.optionalText, 'name', 'userId', 'type', 'traceId', 'parentObservationId', 'version', 'filter'),
  level: z.enum(v.LEVELS).optional(),
  environment: v.repeated.optional(),
  ...v.fields(v.sentTime.optional(), 'fromStartTime', 'toStartTime'),
};

/** Which groups of fields can be asked for. */
const OBSERVATION_GROUPS = v.fieldGroups([
  ...(['core', 'basic', 'time', 'io', 'metadata', 'model', 'usage'] as const),
  ...(['prompt', 'metrics', 'trace_context'] as const),
]);

const observationV2 = z.strictObject({
  // Always there.
  ...v.fields(v.anyText, 'id', 'type', 'projectId'),
  ...v.fields(v.nullableText, 'traceId', 'parentObservationId', 'modelId', ...PRICES),
  startTime: v.time,
  endTime: v.time.nullable(),
  // basic
  ...v.fields(z.boolean().optional(), 'isRootObservation', 'bookmarked', 'public'),
  ...v.fields(v.nullishText, 'name', 'statusMessage', 'version', 'environment', 'userId', 'sessionId'),
  level: z.enum(v.LEVELS).optional(),
  // v.time
  completionStartTime: v.time.nullish(),
  ...v.fields(v.time.optional(), 'createdAt', 'updatedAt'),
  // io, always as texts: other values are written as JSON
  ...v.fields(v.nullishText, 'input', 'output'),
  // metadata
  metadata: v.anyJson,
  // model
  ...v.fields(v.nullishText, 'model', 'internalModelId'),
  modelParameters: v.anyJson,
  // usage
  ...v.fields(v.numbersByName.optional(), 'usageDetails', 'costDetails'),
  totalCost: z.number().nullish(),
  usagePricingTierName: v.nullishText,
  // prompt
  ...v.fields(v.nullishText, 'promptId', 'promptName'),
  promptVersion: z.number().nullish(),
  // metrics
  ...v.fields(z.number().nullish(), 'latency', 'timeToFirstToken'),
  // trace_context
  ...v.fields(v.nullishText, 'traceName', 'release'),
  tags: v.textList.nullish(),
});

const traceGroups = v.fieldGroups(['core', 'io', 'scores', 'observations', 'metrics']).optional();

const trace = z.strictObject({
  ...v.fields(v.anyText, 'id', 'environment', 'htmlPath'),
  ...v.fields(v.nullableText, 'name', 'sessionId', 'release', 'version', 'userId'),
  ...v.fields(v.anyJson, 'input', 'output', 'metadata'),
  timestamp: v.time,
  tags: v.textList,
  public: z.boolean(),
  ...v.fields(z.number().nullish(), 'latency', 'totalCost'),
});

export const tracesApi = {
  listTraces: endpoint('GET', '/api/public/traces', {
    generation: 3,
    query: z.object({
      ...v.pageQuery,
      ...v.fields(v.optionalText, 'userId', 'name', 'sessionId', 'orderBy', 'version', 'release', 'filter'),
      ...v.fields(v.sentTime.optional(), 'fromTimestamp', 'toTimestamp'),
      ...v.fields(v.repeated.optional(), 'tags', 'environment'),
      fields: traceGroups,
    }),
    answer: v.deprecatedPageOf(trace.extend(v.fields(v.textList.nullish(), 'observations', 'scores'))),
  }),
  getTrace: endpoint('GET', '/api/public/traces/:id', {
    generation: 3,
    query: z.object({ fields: traceGroups }),
    answer: trace.extend({
      observations: z.array(observationShape),
      // Each with its trace.
      scores: z.array(scoreV2.refine(({ traceId }) => typeof traceId === 'string', { error: 'expected its trace' })),
      _deprecation: v.deprecation,
    }),
  }),
  deleteTrace: endpoint('DELETE', '/api/public/traces/:id', { answer: messageAnswer }),
  deleteTraces: endpoint('DELETE', '/api/public/traces', {
    request: z.object({ traceIds: v.textList }),
    answer: messageAnswer,
  }),
  listObservations: endpoint('GET', '/api/public/observations', {
    generation: 3,
    query: z.object({ ...observationQuery, ...v.pageQuery }),
    answer: v.deprecatedPageOf(observationShape),
  }),
  getObservation: endpoint('GET', '/api/public/observations/:id', {
    generation: 3,
    answer: observationShape.extend({ _deprecation: v.deprecation }),
  }),
  listObservationsV2: endpoint('GET', '/api/public/v2/observations', {
    generation: 4,
    query: z.object({
      ...observationQuery,
      ...v.cursorQuery(MOST_OBSERVATIONS),
      fields: OBSERVATION_GROUPS.optional(),
      expandMetadata: v.listText.optional(),
      parseIoAsJson: z.literal('false', { error: 'is gone: input and output are always texts' }).optional(),
      sessionId: v.optionalText,
      isRootObservation: v.flagText.optional(),
    }),
    answer: v.cursorPageOf(observationV2),
  }),
};
