import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { cursorQuery } from './paging.ts';
import { SCORE_TYPES } from './scores-v2.ts';
import { anyByName, fieldGroups, givenTime, listText, numberText, SCORE_SOURCES, time } from './values.ts';

const subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('trace'), id: z.string() }),
  z.strictObject({ kind: z.literal('observation'), id: z.string(), traceId: z.string().optional() }),
  z.strictObject({ kind: z.literal('session'), id: z.string() }),
  z.strictObject({ kind: z.literal('experiment'), id: z.string() }),
]);

const base = {
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  source: z.enum(SCORE_SOURCES),
  timestamp: time,
  environment: z.string(),
  createdAt: time,
  updatedAt: time,
  comment: z.string().nullish(),
  configId: z.string().nullish(),
  metadata: anyByName.optional(),
  authorUserId: z.string().nullish(),
  queueId: z.string().nullish(),
  subject: subject.optional(),
};

export const scoreV3 = z.discriminatedUnion('dataType', [
  z.strictObject({ ...base, dataType: z.literal('NUMERIC'), value: z.number() }),
  z.strictObject({ ...base, dataType: z.literal('BOOLEAN'), value: z.boolean() }),
  z.strictObject({ ...base, dataType: z.literal('CATEGORICAL'), value: z.string() }),
  z.strictObject({ ...base, dataType: z.literal('TEXT'), value: z.string() }),
  z.strictObject({ ...base, dataType: z.literal('CORRECTION'), value: z.string() }),
]);

/** Words in capitals, given in any case. */
function capitals<const Word extends string>(words: readonly Word[]) {
  return listText.transform((list) => list.map((word) => word.toUpperCase())).pipe(z.array(z.enum(words)));
}

const listQuery = z
  .object({
    ...cursorQuery(),
    fields: fieldGroups(['details', 'subject', 'annotation']).optional(),
    id: listText.optional(),
    name: listText.optional(),
    source: capitals(SCORE_SOURCES).optional(),
    dataType: capitals(SCORE_TYPES).optional(),
    environment: listText.optional(),
    configId: listText.optional(),
    queueId: listText.optional(),
    authorUserId: listText.optional(),
    value: listText.optional(),
    valueMin: numberText.optional(),
    valueMax: numberText.optional(),
    traceId: listText.optional(),
    sessionId: listText.optional(),
    observationId: listText.optional(),
    experimentId: listText.optional(),
    fromTimestamp: givenTime.optional(),
    toTimestamp: givenTime.optional(),
  })
  .superRefine((query, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const subjects = (['traceId', 'sessionId', 'experimentId'] as const).filter((name) => query[name] !== undefined);
    if (subjects.length > 1) wrong(subjects[1]!, `cannot be together with ${subjects[0]!}`);
    if (query.observationId !== undefined && query.traceId === undefined)
      wrong('observationId', 'traceId has to be there too');
    const [type, second] = query.dataType ?? [];
    const only = second === undefined ? type : undefined;
    if ((query.valueMin !== undefined || query.valueMax !== undefined) && only !== 'NUMERIC')
      wrong('valueMin', 'needs dataType=NUMERIC');
    if (query.value !== undefined) {
      const problem = valuesProblem(only, query.value);
      if (problem !== null) wrong('value', problem);
    }
  });

export const listScoresV3 = endpoint('GET', '/api/public/v3/scores', {
  query: listQuery,
  answer: z.strictObject({
    data: z.array(scoreV3),
    meta: z.strictObject({ limit: z.int().min(1), cursor: z.string().optional() }),
  }),
});

function valuesProblem(type: string | undefined, values: readonly string[]): string | null {
  switch (type) {
    case 'NUMERIC':
      return values.every((one) => Number.isFinite(Number(one))) ? null : 'expected numbers';
    case 'BOOLEAN':
      return values.every((one) => one === 'true' || one === 'false') ? null : 'expected true or false';
    case 'CATEGORICAL':
      return null;
    case undefined:
    default:
      return 'needs one dataType out of NUMERIC, BOOLEAN, CATEGORICAL';
  }
}
