import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import { observation } from './observations.ts';
import { deprecatedPageOf, pageQuery } from './paging.ts';
import { traceScore } from './scores.ts';
import * as values from './values.ts';

const { deprecation, fieldGroups, fields, givenTime, json, nullableText, optionalText, repeated, text, texts } = values;

const groups = fieldGroups(['core', 'io', 'scores', 'observations', 'metrics']).optional();

const trace = z.strictObject({
  ...fields(text, 'id', 'environment', 'htmlPath'),
  ...fields(nullableText, 'name', 'sessionId', 'release', 'version', 'userId'),
  ...fields(json, 'input', 'output', 'metadata'),
  timestamp: values.time,
  tags: texts,
  public: z.boolean(),
  ...fields(z.number().nullish(), 'latency', 'totalCost'),
});

export const listTraces = endpoint('GET', '/api/public/traces', {
  generation: 3,
  query: z.object({
    ...pageQuery,
    ...fields(optionalText, 'userId', 'name', 'sessionId', 'orderBy', 'version', 'release', 'filter'),
    ...fields(givenTime.optional(), 'fromTimestamp', 'toTimestamp'),
    ...fields(repeated.optional(), 'tags', 'environment'),
    fields: groups,
  }),
  answer: deprecatedPageOf(trace.extend(fields(texts.nullish(), 'observations', 'scores'))),
});

export const getTrace = endpoint('GET', '/api/public/traces/:id', {
  generation: 3,
  query: z.object({ fields: groups }),
  answer: trace.extend({
    observations: z.array(observation),
    scores: z.array(traceScore),
    _deprecation: deprecation,
  }),
});

export const deleteTrace = endpoint('DELETE', '/api/public/traces/:id', { answer: messageAnswer });

export const deleteTraces = endpoint('DELETE', '/api/public/traces', {
  request: z.object({ traceIds: texts }),
  answer: messageAnswer,
});
