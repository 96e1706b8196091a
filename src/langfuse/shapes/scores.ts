import { z } from 'zod';

import { endpoint, messageAnswer } from './endpoint.ts';
import { json, optional, SCORE_SOURCES } from './values.ts';

const GIVEN_TYPES = ['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT', 'CORRECTION'] as const;
const LONGEST_TEXT = 500;

const fields = z.object({
  id: optional(z.string().min(1)),
  traceId: optional(z.string().min(1)),
  observationId: optional(z.string().min(1)),
  sessionId: optional(z.string().min(1)),
  datasetRunId: optional(z.string().min(1)),
  name: z.string().min(1),
  value: z.union([z.number(), z.string()]),
  dataType: optional(z.enum(GIVEN_TYPES)),
  comment: optional(z.string()),
  metadata: json,
  environment: optional(z.string()),
  configId: optional(z.string()),
  queueId: optional(z.string()),
});

type ScoreFields = z.output<typeof fields>;

/** What a score may look like within a batch; sent by itself it is never an evaluator's. */
export const scoreBody = fields.extend({ source: optional(z.enum(SCORE_SOURCES)) }).superRefine(checkScore);

export const createScore = endpoint('POST', '/api/public/scores', {
  request: fields.extend({ source: optional(z.enum(['API', 'ANNOTATION'])) }).superRefine(checkScore),
  answer: z.strictObject({ id: z.string() }),
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
  const problem = valueProblem(score);
  if (problem !== null) wrong('value', problem);
}

function valueProblem({ value, dataType }: ScoreFields): string | null {
  switch (dataType) {
    case undefined:
      return null;
    case 'NUMERIC':
      return typeof value === 'number' ? null : 'expected a number, since dataType is NUMERIC';
    case 'BOOLEAN':
      return value === 0 || value === 1 ? null : 'expected 0 or 1, since dataType is BOOLEAN';
    case 'CATEGORICAL':
      return typeof value === 'string' ? null : 'expected text, since dataType is CATEGORICAL';
    case 'CORRECTION':
      return typeof value === 'string' ? null : 'expected text, since dataType is CORRECTION';
    case 'TEXT':
      return typeof value === 'string' && value.length >= 1 && value.length <= LONGEST_TEXT
        ? null
        : `expected 1 to ${LONGEST_TEXT} characters of text, since dataType is TEXT`;
  }
}
