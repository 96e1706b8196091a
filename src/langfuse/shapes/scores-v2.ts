import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { pageMeta, pageQuery } from './paging.ts';
import {
  deprecation,
  fieldGroups,
  givenTime,
  json,
  listText,
  numberText,
  repeated,
  SCORE_SOURCES,
  time,
} from './values.ts';

const OPERATORS = ['<', '>', '<=', '>=', '!=', '='] as const;
export const SCORE_TYPES = ['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT', 'CORRECTION'] as const;

const base = {
  id: z.string(),
  traceId: z.string().nullish(),
  sessionId: z.string().nullish(),
  observationId: z.string().nullish(),
  datasetRunId: z.string().nullish(),
  name: z.string(),
  source: z.enum(SCORE_SOURCES),
  timestamp: time,
  createdAt: time,
  updatedAt: time,
  authorUserId: z.string().nullable(),
  comment: z.string().nullable(),
  metadata: json,
  configId: z.string().nullable(),
  queueId: z.string().nullable(),
  environment: z.string(),
};

const named = { value: z.number(), stringValue: z.string() };

/** A score by its type, each with these fields besides. */
function scoreWith<Shape extends z.ZodRawShape>(fields: Shape) {
  return z.discriminatedUnion('dataType', [
    z.strictObject({ ...base, ...fields, dataType: z.literal('NUMERIC'), value: z.number() }),
    z.strictObject({ ...base, ...fields, dataType: z.literal('CATEGORICAL'), ...named }),
    z.strictObject({ ...base, ...fields, dataType: z.literal('CORRECTION'), ...named }),
    z.strictObject({ ...base, ...fields, dataType: z.literal('BOOLEAN'), ...named }),
    z.strictObject({ ...base, ...fields, dataType: z.literal('TEXT'), stringValue: z.string() }),
  ]);
}

export const score = scoreWith({});

/** Of a trace, as the trace itself is answered with it. */
export const traceScore = score.refine(({ traceId }) => typeof traceId === 'string', { error: 'expected its trace' });

const listedScore = scoreWith({
  trace: z
    .strictObject({
      userId: z.string().nullish(),
      tags: z.array(z.string()).nullish(),
      environment: z.string().nullish(),
      sessionId: z.string().nullish(),
    })
    .nullish(),
});

const listQuery = z.object({
  ...pageQuery,
  userId: z.string().optional(),
  name: z.string().optional(),
  fromTimestamp: givenTime.optional(),
  toTimestamp: givenTime.optional(),
  environment: repeated.optional(),
  source: z.enum(SCORE_SOURCES).optional(),
  operator: z.enum(OPERATORS).optional(),
  value: numberText.optional(),
  scoreIds: listText.optional(),
  configId: z.string().optional(),
  sessionId: z.string().optional(),
  datasetRunId: z.string().optional(),
  traceId: z.string().optional(),
  observationId: listText.optional(),
  queueId: z.string().optional(),
  dataType: z.enum(SCORE_TYPES).optional(),
  traceTags: repeated.optional(),
  fields: fieldGroups(['score', 'trace']).optional(),
  filter: z.string().optional(),
});

export const listScoresV2 = endpoint('GET', '/api/public/v2/scores', {
  generation: 3,
  query: listQuery,
  answer: z.strictObject({ data: z.array(listedScore), meta: pageMeta, _deprecation: deprecation }),
});

export const getScoreV2 = endpoint('GET', '/api/public/v2/scores/:id', {
  generation: 3,
  answer: scoreWith({ _deprecation: deprecation }),
});
