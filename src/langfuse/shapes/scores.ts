import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import * as v from './values.ts';

export const SCORE_SOURCES = ['ANNOTATION', 'API', 'EVAL'] as const;
const SCORE_TYPES = ['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT', 'CORRECTION'] as const;
const OPERATORS = ['<', '>', '<=', '>=', '!=', '='] as const;
const LONGEST_TEXT = 500;

const bodyFields = z.object({
  ...v.fields(v.optional(z.string().min(1)), 'id', 'traceId', 'observationId', 'sessionId', 'datasetRunId'),
  name: z.string().min(1),
  value: z.union([z.number(), z.string()]),
  dataType: v.optional(z.enum(SCORE_TYPES)),
  metadata: v.anyJson,
  /** Null removes the comment of an earlier sending. */
  comment: v.nullishText,
  ...v.fields(v.optional(v.anyText), 'environment', 'configId', 'queueId'),
});

type ScoreFields = z.output<typeof bodyFields>;

/** A score within a batch; one sent by itself is never an evaluator's. */
export const scoreBody = bodyFields.extend({ source: v.optional(z.enum(SCORE_SOURCES)) }).superRefine(checkScore);

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
  ...v.fields(v.anyText, 'id', 'name', 'environment'),
  ...v.fields(v.nullishText, 'traceId', 'sessionId', 'observationId', 'datasetRunId'),
  source: z.enum(SCORE_SOURCES),
  ...v.fields(v.time, 'timestamp', 'createdAt', 'updatedAt'),
  ...v.fields(v.nullableText, 'authorUserId', 'comment', 'configId', 'queueId'),
  metadata: v.anyJson,
};

/** A score by its type, each with these fields besides. */
function scoreWith<Shape extends z.ZodRawShape>(more: Shape) {
  const typed = z.strictObject({ ...base, ...more });
  const named = { value: z.number(), stringValue: v.anyText };
  return z.discriminatedUnion('dataType', [
    typed.extend({ dataType: z.literal('NUMERIC'), value: z.number() }),
    typed.extend({ dataType: z.literal(['CATEGORICAL', 'CORRECTION', 'BOOLEAN']), ...named }),
    typed.extend({ dataType: z.literal('TEXT'), stringValue: v.anyText }),
  ]);
}

export const scoreV2 = scoreWith({});

const scoreTrace = z.strictObject({
  ...v.fields(v.nullishText, 'userId', 'environment', 'sessionId'),
  tags: v.textList.nullish(),
});

const subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal(['trace', 'session', 'experiment']), id: v.anyText }),
  z.strictObject({ kind: z.literal('observation'), id: v.anyText, traceId: v.optionalText }),
]);

const baseV3 = z.strictObject({
  ...v.fields(v.anyText, 'id', 'projectId', 'name', 'environment'),
  source: z.enum(SCORE_SOURCES),
  ...v.fields(v.time, 'timestamp', 'createdAt', 'updatedAt'),
  ...v.fields(v.nullishText, 'comment', 'configId', 'authorUserId', 'queueId'),
  metadata: v.anyByName.optional(),
  subject: subject.optional(),
});

export const scoreV3 = z.discriminatedUnion('dataType', [
  baseV3.extend({ dataType: z.literal('NUMERIC'), value: z.number() }),
  baseV3.extend({ dataType: z.literal('BOOLEAN'), value: z.boolean() }),
  baseV3.extend({ dataType: z.literal(['CATEGORICAL', 'TEXT', 'CORRECTION']), value: v.anyText }),
]);

/** Words in capitals, sent in any case. */
function capitals<const Word extends string>(words: readonly Word[]) {
  return v.listText.transform((list) => list.map((word) => word.toUpperCase())).pipe(z.array(z.enum(words)));
}

const subjects = ['traceId', 'sessionId', 'experimentId'] as const;

const queryV3 = z
  .object({
    ...v.cursorQuery(),
    fields: v.fieldGroups(['details', 'subject', 'annotation']).optional(),
    source: capitals(SCORE_SOURCES).optional(),
    dataType: capitals(SCORE_TYPES).optional(),
    ...v.fields(v.listText.optional(), 'id', 'name', 'environment', 'configId', 'queueId', 'authorUserId', 'value'),
    ...v.fields(v.listText.optional(), 'observationId', ...subjects),
    ...v.fields(v.numberText.optional(), 'valueMin', 'valueMax'),
    ...v.fields(v.sentTime.optional(), 'fromTimestamp', 'toTimestamp'),
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

export const scoresApi = {
  createScore: endpoint('POST', '/api/public/scores', {
    request: bodyFields.extend({ source: v.optional(z.enum(['API', 'ANNOTATION'])) }).superRefine(checkScore),
    answer: z.strictObject({ id: v.anyText }),
  }),
  deleteScore: endpoint('DELETE', '/api/public/scores/:id', { answer: messageAnswer, status: 202 }),
  listScoresV2: endpoint('GET', '/api/public/v2/scores', {
    generation: 3,
    query: z.object({
      ...v.pageQuery,
      ...v.fields(
        v.optionalText,
        'userId',
        'name',
        'configId',
        'sessionId',
        'datasetRunId',
        'traceId',
        'queueId',
        'filter',
      ),
      ...v.fields(v.sentTime.optional(), 'fromTimestamp', 'toTimestamp'),
      ...v.fields(v.repeated.optional(), 'environment', 'traceTags'),
      ...v.fields(v.listText.optional(), 'scoreIds', 'observationId'),
      source: z.enum(SCORE_SOURCES).optional(),
      dataType: z.enum(SCORE_TYPES).optional(),
      operator: z.enum(OPERATORS).optional(),
      value: v.numberText.optional(),
      fields: v.fieldGroups(['score', 'trace']).optional(),
    }),
    answer: v.deprecatedPageOf(scoreWith({ trace: scoreTrace.nullish() })),
  }),
  getScoreV2: endpoint('GET', '/api/public/v2/scores/:id', {
    generation: 3,
    answer: scoreWith({ _deprecation: v.deprecation }),
  }),
  listScoresV3: endpoint('GET', '/api/public/v3/scores', {
    query: queryV3,
    answer: z.strictObject({
      data: z.array(scoreV3),
      meta: z.strictObject({ limit: z.int().min(1), cursor: v.optionalText }),
    }),
  }),
};
