import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { deprecation, givenTime, json, LEVELS, numbersByName, repeated, time } from './values.ts';

const usage = z.strictObject({
  input: z.number(),
  output: z.number(),
  total: z.number(),
  unit: z.string().nullable(),
  inputCost: z.number().optional(),
  outputCost: z.number().optional(),
  totalCost: z.number().optional(),
});

export const observation = z.strictObject({
  id: z.string(),
  traceId: z.string().nullable(),
  type: z.string(),
  name: z.string().nullable(),
  startTime: time,
  endTime: time.nullable(),
  completionStartTime: time.nullable(),
  model: z.string().nullable(),
  modelParameters: json,
  input: json,
  version: z.string().nullable(),
  metadata: json,
  output: json,
  usage,
  level: z.enum(LEVELS),
  statusMessage: z.string().nullable(),
  parentObservationId: z.string().nullable(),
  promptId: z.string().nullable(),
  usageDetails: numbersByName,
  costDetails: numbersByName,
  environment: z.string(),
  promptName: z.string().nullable(),
  promptVersion: z.number().nullable(),
  modelId: z.string().nullable(),
  inputPrice: z.number().nullable(),
  outputPrice: z.number().nullable(),
  totalPrice: z.number().nullable(),
  calculatedInputCost: z.number().nullable(),
  calculatedOutputCost: z.number().nullable(),
  calculatedTotalCost: z.number().nullable(),
  latency: z.number().nullable(),
  timeToFirstToken: z.number().nullable(),
});

/** What observations of both generations can be narrowed to. */
export const observationQuery = {
  name: z.string().optional(),
  userId: z.string().optional(),
  type: z.string().optional(),
  traceId: z.string().optional(),
  level: z.enum(LEVELS).optional(),
  parentObservationId: z.string().optional(),
  environment: repeated.optional(),
  fromStartTime: givenTime.optional(),
  toStartTime: givenTime.optional(),
  version: z.string().optional(),
  filter: z.string().optional(),
};

export const listObservations = endpoint('GET', '/api/public/observations', {
  generation: 3,
  query: z.object({ ...observationQuery, ...pageQuery }),
  answer: z.strictObject({ data: z.array(observation), meta: pageMeta, _deprecation: deprecation }),
});

export const getObservation = endpoint('GET', '/api/public/observations/:id', {
  generation: 3,
  answer: observation.extend({ _deprecation: deprecation }),
});
