import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import { cursorQuery, deprecatedPageOf, pageQuery } from './paging.ts';
import * as values from './values.ts';

const { deprecation, fieldGroups, fields, givenTime, json, listText, nullableText, nullishText, optional } = values;
const { optionalText, repeated, text, time } = values;

export const SCORE_SOURCES = ['ANNOTATION', 'API', 'EVAL'] as const;
const SCORE_TYPES = ['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT', 'CORRECTION'] as const;
const OPERATORS = ['<', '>', '<=', '>=', '!=', '='] as const;
const LONGEST_TEXT = 500;

const bodyFields = z.object({
  ...fields(optional(z.string().min(1)), 'id', 'traceId', 'observationId', 'sessionId', 'datasetRunId'),
  name: z.string().min(1),
  value: z.union([z.number(), z.string()]),
  dataType: optional(z.enum(SCORE_TYPES)),
  metadata: json,
  ...fields(optional(text), 'comment', 'environment', 'configId', 'queueId'),
});

type ScoreFields = z.output<typeof bodyFields>;

/** A score within a batch; one sent by itself is never an evaluator's. */
export const scoreBody = bodyFields.extend({ source: optional(z.enum(SCORE_SOURCES)) }).superRefine(checkScore);

export const createScore = endpoint('POST', '/api/public/scores', {
  request: bodyFields.extend({ source: optional(z.enum(['API', 'ANNOTATION'])) }).superRefine(checkScore),
  answer: z.strictObject({ id: text }),
});

export const deleteScore = endpoint('DELETE', '/api/public/scores/:id', { answer: messageAnswer, status: 202 });

function checkScore(score: ScoreFields, context: z.RefinementCtx): void {
  const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const subjects = [score.traceId, score.sessionId, score.datasetRunId].filter((id) => id !== undefined);
  if (subjects.length !== 1) wrong('traceId', 'expected exactly one of traceId, sessionId and datasetRunId');
  if (score.observationId !== undefined && score.traceId === undefined)
    wrong('observationId', 'traceId has to be there too');
  if (score.dataType === 'CORRECTION' && score.configId !== undefined)
    wrong('configId', 'a correction has no configuration');
  if (score.dataType === 'CORRECTION' && score.traceId === undefined)
    wrong('traceId', 'a correction belongs to a trace or an observation');
  const { dataType = '' } = score;
  const expected = expectedValue(score);
  if (expected !== null) wrong('value', `expected ${expected}, since dataType is ${dataType}`);
}

/** What a value should be, if it is not. */
function expectedValue({ value, dataType }: ScoreFields): string | null {
  switch (dataType) {
    case undefined:
      return null;
    case 'NUMERIC':
      return typeof value === 'number' ? null : 'a number';
    case 'BOOLEAN':
      return value === 0 || value === 1 ? null : '0 or 1';
    case 'CATEGORICAL':
    case 'CORRECTION':
      return typeof value === 'string' ? null : 'text';
    case 'TEXT': {
      const isFitting = typeof value === 'string' && value.length >= 1 && value.length <= LONGEST_TEXT;
      return isFitting ? null : `1 to ${LONGEST_TEXT} characters of text`;
    }
  }
}

const base = {
  ...fields(text, 'id', 'name', 'environment'),
  ...fields(nullishText, 'traceId', 'sessionId', 'observationId', 'datasetRunId'),
  source: z.enum(SCORE_SOURCES),
  ...fields(time, 'timestamp', 'createdAt', 'updatedAt'),
  ...fields(nullableText, 'authorUserId', 'comment', 'configId', 'queueId'),
  metadata: json,
};

const named = { value: z.number(), stringValue: text };

/** A score by its type, each with these fields besides. */
function scoreWith<Shape extends z.ZodRawShape>(more: Shape) {
  return z.discriminatedUnion('dataType', [
    z.strictObject({ ...base, ...more, dataType: z.literal('NUMERIC'), value: z.number() }),
    z.strictObject({ ...base, ...more, dataType: z.literal('CATEGORICAL'), ...named }),
    z.strictObject({ ...base, ...more, dataType: z.literal('CORRECTION'), ...named }),
    z.strictObject({ ...base, ...more, dataType: z.literal('BOOLEAN'), ...named }),
    z.strictObject({ ...base, ...more, dataType: z.literal('TEXT'), stringValue: text }),
  ]);
}

export const score = scoreWith({});

/** Of a trace, in the answer for the trace itself. */
export const traceScore = score.refine(({ traceId }) => typeof traceId === 'string', { error: 'expected its trace' });

const scoreTrace = z.strictObject({
  ...fields(nullishText, 'userId', 'environment', 'sessionId'),
  tags: values.texts.nullish(),
});

export const listScoresV2 = endpoint('GET', '/api/public/v2/scores', {
  generation: 3,
  query: z.object({
    ...pageQuery,
    ...fields(optionalText, 'userId', 'name', 'configId', 'sessionId', 'datasetRunId', 'traceId', 'queueId', 'filter'),
    ...fields(givenTime.optional(), 'fromTimestamp', 'toTimestamp'),
    ...fields(repeated.optional(), 'environment', 'traceTags'),
    ...fields(listText.optional(), 'scoreIds', 'observationId'),
    source: z.enum(SCORE_SOURCES).optional(),
    dataType: z.enum(SCORE_TYPES).optional(),
    operator: z.enum(OPERATORS).optional(),
    value: values.numberText.optional(),
    fields: fieldGroups(['score', 'trace']).optional(),
  }),
  answer: deprecatedPageOf(scoreWith({ trace: scoreTrace.nullish() })),
});

export const getScoreV2 = endpoint('GET', '/api/public/v2/scores/:id', {
  generation: 3,
  answer: scoreWith({ _deprecation: deprecation }),
});

const subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('trace'), id: text }),
  z.strictObject({ kind: z.literal('observation'), id: text, traceId: optionalText }),
  z.strictObject({ kind: z.literal('session'), id: text }),
  z.strictObject({ kind: z.literal('experiment'), id: text }),
]);

const baseV3 = {
  ...fields(text, 'id', 'projectId', 'name', 'environment'),
  source: z.enum(SCORE_SOURCES),
  ...fields(time, 'timestamp', 'createdAt', 'updatedAt'),
  ...fields(nullishText, 'comment', 'configId', 'authorUserId', 'queueId'),
  metadata: values.anyByName.optional(),
  subject: subject.optional(),
};

export const scoreV3 = z.discriminatedUnion('dataType', [
  z.strictObject({ ...baseV3, dataType: z.literal('NUMERIC'), value: z.number() }),
  z.strictObject({ ...baseV3, dataType: z.literal('BOOLEAN'), value: z.boolean() }),
  z.strictObject({ ...baseV3, dataType: z.literal('CATEGORICAL'), value: text }),
  z.strictObject({ ...baseV3, dataType: z.literal('TEXT'), value: text }),
  z.strictObject({ ...baseV3, dataType: z.literal('CORRECTION'), value: text }),
]);

/** Words in capitals, sent in any case. */
function capitals<const Word extends string>(words: readonly Word[]) {
  return listText.transform((list) => list.map((word) => word.toUpperCase())).pipe(z.array(z.enum(words)));
}

const subjects = ['traceId', 'sessionId', 'experimentId'] as const;

const queryV3 = z
  .object({
    ...cursorQuery(),
    fields: fieldGroups(['details', 'subject', 'annotation']).optional(),
    source: capitals(SCORE_SOURCES).optional(),
    dataType: capitals(SCORE_TYPES).optional(),
    ...fields(listText.optional(), 'id', 'name', 'environment', 'configId', 'queueId', 'authorUserId', 'value'),
    ...fields(listText.optional(), 'observationId', ...subjects),
    ...fields(values.numberText.optional(), 'valueMin', 'valueMax'),
    ...fields(givenTime.optional(), 'fromTimestamp', 'toTimestamp'),
  })
  .superRefine((query, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const [first, second] = subjects.filter((name) => query[name] !== undefined);
    if (first !== undefined && second !== undefined) wrong(second, `cannot be together with ${first}`);
    if (query.observationId !== undefined && query.traceId === undefined)
      wrong('observationId', 'traceId has to be there too');
    const onlyType = query.dataType?.length === 1 ? query.dataType[0] : undefined;
    if ((query.valueMin !== undefined || query.valueMax !== undefined) && onlyType !== 'NUMERIC')
      wrong('valueMin', 'needs dataType=NUMERIC');
    const problem = query.value === undefined ? null : valuesProblem(onlyType, query.value);
    if (problem !== null) wrong('value', problem);
  });

export const listScoresV3 = endpoint('GET', '/api/public/v3/scores', {
  query: queryV3,
  answer: z.strictObject({
    data: z.array(scoreV3),
    meta: z.strictObject({ limit: z.int().min(1), cursor: optionalText }),
  }),
});

function valuesProblem(type: string | undefined, sent: readonly string[]): string | null {
  switch (type) {
    case 'NUMERIC':
      return sent.every((one) => Number.isFinite(Number(one))) ? null : 'expected numbers';
    case 'BOOLEAN':
      return sent.every((one) => one === 'true' || one === 'false') ? null : 'expected true or false';
    case 'CATEGORICAL':
      return null;
    case undefined:
    default:
      return 'needs one dataType out of NUMERIC, BOOLEAN, CATEGORICAL';
  }
}
