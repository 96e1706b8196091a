import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { cursorPageOf, cursorQuery, deprecatedPageOf, pageQuery } from './paging.ts';
import * as values from './values.ts';

const { fieldGroups, fields, givenTime, json, nullableText, nullishText, optionalText, text, time } = values;

const MOST_OBSERVATIONS = 1000;
const PRICES = ['inputPrice', 'outputPrice', 'totalPrice'] as const;
const COSTS = ['inputCost', 'outputCost', 'totalCost'] as const;

const usage = z.strictObject({
  ...fields(z.number(), 'input', 'output', 'total'),
  unit: nullableText,
  ...fields(z.number().optional(), ...COSTS),
});

export const observation = z.strictObject({
  ...fields(text, 'id', 'type', 'environment'),
  ...fields(nullableText, 'traceId', 'name', 'model', 'version', 'statusMessage', 'parentObservationId'),
  ...fields(nullableText, 'promptId', 'promptName', 'modelId'),
  startTime: time,
  ...fields(time.nullable(), 'endTime', 'completionStartTime'),
  ...fields(json, 'modelParameters', 'input', 'metadata', 'output'),
  usage,
  level: z.enum(values.LEVELS),
  ...fields(values.numbersByName, 'usageDetails', 'costDetails'),
  ...fields(z.number().nullable(), 'promptVersion', 'latency', 'timeToFirstToken', ...PRICES),
  ...fields(z.number().nullable(), 'calculatedInputCost', 'calculatedOutputCost', 'calculatedTotalCost'),
});

/** What observations of both generations can be narrowed to. */
const observationQuery = {
  ...fields(optionalText, 'name', 'userId', 'type', 'traceId', 'parentObservationId', 'version', 'filter'),
  level: z.enum(values.LEVELS).optional(),
  environment: values.repeated.optional(),
  ...fields(givenTime.optional(), 'fromStartTime', 'toStartTime'),
};

export const listObservations = endpoint('GET', '/api/public/observations', {
  generation: 3,
  query: z.object({ ...observationQuery, ...pageQuery }),
  answer: deprecatedPageOf(observation),
});

export const getObservation = endpoint('GET', '/api/public/observations/:id', {
  generation: 3,
  answer: observation.extend({ _deprecation: values.deprecation }),
});

/** Which groups of fields can be asked for. */
const FIELD_GROUPS = [
  'core',
  'basic',
  'time',
  'io',
  'metadata',
  'model',
  'usage',
  'prompt',
  'metrics',
  'trace_context',
] as const;

const observationV2 = z.strictObject({
  // Always there.
  ...fields(text, 'id', 'type', 'projectId'),
  ...fields(nullableText, 'traceId', 'parentObservationId', 'modelId', ...PRICES),
  startTime: time,
  endTime: time.nullable(),
  // basic
  ...fields(z.boolean().optional(), 'isRootObservation', 'bookmarked', 'public'),
  ...fields(nullishText, 'name', 'statusMessage', 'version', 'environment', 'userId', 'sessionId'),
  level: z.enum(values.LEVELS).optional(),
  // time
  completionStartTime: time.nullish(),
  ...fields(time.optional(), 'createdAt', 'updatedAt'),
  // io, always as texts: other values are written as JSON
  ...fields(nullishText, 'input', 'output'),
  // metadata
  metadata: json,
  // model
  ...fields(nullishText, 'model', 'internalModelId'),
  modelParameters: json,
  // usage
  ...fields(values.numbersByName.optional(), 'usageDetails', 'costDetails'),
  totalCost: z.number().nullish(),
  usagePricingTierName: nullishText,
  // prompt
  ...fields(nullishText, 'promptId', 'promptName'),
  promptVersion: z.number().nullish(),
  // metrics
  ...fields(z.number().nullish(), 'latency', 'timeToFirstToken'),
  // trace_context
  ...fields(nullishText, 'traceName', 'release'),
  tags: values.texts.nullish(),
});

export const listObservationsV2 = endpoint('GET', '/api/public/v2/observations', {
  generation: 4,
  query: z.object({
    ...observationQuery,
    ...cursorQuery(MOST_OBSERVATIONS),
    fields: fieldGroups(FIELD_GROUPS).optional(),
    expandMetadata: values.listText.optional(),
    parseIoAsJson: z.literal('false', { error: 'is gone: input and output are always texts' }).optional(),
    sessionId: optionalText,
    isRootObservation: values.flagText.optional(),
  }),
  answer: cursorPageOf(observationV2),
});
