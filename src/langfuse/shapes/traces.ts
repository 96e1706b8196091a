import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import { observation } from './observations.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { traceScore } from './scores-v2.ts';
import { deprecation, fieldGroups, givenTime, json, repeated, time } from './values.ts';

const fields = fieldGroups(['core', 'io', 'scores', 'observations', 'metrics']);

const trace = z.strictObject({
  id: z.string(),
  timestamp: time,
  name: z.string().nullable(),
  input: json,
  output: json,
  sessionId: z.string().nullable(),
  release: z.string().nullable(),
  version: z.string().nullable(),
  userId: z.string().nullable(),
  metadata: json,
  tags: z.array(z.string()),
  public: z.boolean(),
  environment: z.string(),
  htmlPath: z.string(),
  latency: z.number().nullish(),
  totalCost: z.number().nullish(),
});

const listQuery = z.object({
  ...pageQuery,
  userId: z.string().optional(),
  name: z.string().optional(),
  sessionId: z.string().optional(),
  fromTimestamp: givenTime.optional(),
  toTimestamp: givenTime.optional(),
  orderBy: z.string().optional(),
  tags: repeated.optional(),
  version: z.string().optional(),
  release: z.string().optional(),
  environment: repeated.optional(),
  fields: fields.optional(),
  filter: z.string().optional(),
});

export const listTraces = endpoint('GET', '/api/public/traces', {
  generation: 3,
  query: listQuery,
  answer: z.strictObject({
    data: z.array(trace.extend({ observations: z.array(z.string()).nullish(), scores: z.array(z.string()).nullish() })),
    meta: pageMeta,
    _deprecation: deprecation,
  }),
});

export const getTrace = endpoint('GET', '/api/public/traces/:id', {
  generation: 3,
  query: z.object({ fields: fields.optional() }),
  answer: trace.extend({
    observations: z.array(observation),
    scores: z.array(traceScore),
    _deprecation: deprecation,
  }),
});

export const deleteTrace = endpoint('DELETE', '/api/public/traces/:id', { answer: messageAnswer });

export const deleteTraces = endpoint('DELETE', '/api/public/traces', {
  request: z.object({ traceIds: z.array(z.string()) }),
  answer: messageAnswer,
});
