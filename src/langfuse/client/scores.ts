import { randomUUID } from 'node:crypto';

import type { ScoreBody } from '@langfuse/core';
import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { sideBySide } from '../../experiment/limits/side-by-side.ts';
import { scoreRow, type ServerScore } from './answers.ts';
import type { Connection } from './connection.ts';
import { type ScoreEvent, sendEvents } from './older-api.ts';
import { allByCursor } from './pages.ts';
import { ENVIRONMENT } from './spans.ts';

/** A number of ours unless `dataType` or `source` differs. */
export type ScoreToSend = Pick<
  ScoreBody,
  'traceId' | 'observationId' | 'datasetRunId' | 'name' | 'value' | 'dataType' | 'environment' | 'metadata' | 'configId'
> & {
  readonly id: string;
  /** A person's needs a config. */
  readonly source?: 'API' | 'ANNOTATION';
  /** Null also removes the comment of an earlier sending, which absence would keep. */
  readonly comment: string | null;
  /** Langfuse merges the sendings of a score by this time, and the score keeps that of the first one. */
  readonly sentAt: string;
};

const SCORES_PER_BATCH = 100;
const SCORES_AT_A_TIME = 8;
const ROUNDS = 4;

/** Sends scores and makes sure that the server has taken each. The same ids at a later time change what is there. */
export async function deliverScores(connection: Connection, scores: readonly ScoreToSend[]): Promise<void> {
  for (let from = 0; from < scores.length; from += SCORES_PER_BATCH)
    await deliverBatch(connection, scores.slice(from, from + SCORES_PER_BATCH).map(eventOf));
}

async function deliverBatch(connection: Connection, batch: readonly ScoreEvent[]): Promise<void> {
  let left = batch;
  for (let round = 1; ; round += 1) {
    const answer = await sendEvents(connection, left);
    if (answer === null) return deliverOneByOne(connection, left);
    // What is in neither list was not taken either.
    const taken = new Set(answer.successes.map(({ id }) => id));
    const refused = answer.errors.find(({ status }) => status < 500 && status !== 429 && status !== 408);
    left = left.filter(({ id }) => !taken.has(id));
    if (left.length === 0) return;
    if (refused !== undefined || round >= ROUNDS) {
      const why = refused ?? answer.errors[0];
      const words = why === undefined ? 'it does not say why' : `HTTP ${why.status} ${wordsOf(why)}`;
      throw new UsageError(
        connection.calls.withoutKeys(
          `Langfuse at ${connection.calls.place} did not take ${left.length} of ${batch.length} scores: ${words}`,
        ),
      );
    }
    await connection.calls.clock.sleep(round * 200);
  }
}

/** For a server that has no way to take many at once. */
async function deliverOneByOne({ api, calls }: Connection, events: readonly ScoreEvent[]): Promise<void> {
  await sideBySide(events, SCORES_AT_A_TIME, ({ body }) => {
    const { metadata, ...rest } = body;
    const request = isRecord(metadata) ? { ...rest, metadata } : rest;
    return calls.make('send a score', z.unknown(), (options) => api.scores.create(request, options));
  });
}

/** Untyped because the SDK's types lack null, which the API takes. */
const NO_COMMENT: object = { comment: null };

function eventOf({ sentAt, comment, ...body }: ScoreToSend): ScoreEvent {
  return {
    id: randomUUID(),
    type: 'score-create',
    timestamp: sentAt,
    body: { dataType: 'NUMERIC', environment: ENVIRONMENT, ...body, ...(comment === null ? NO_COMMENT : { comment }) },
  };
}

function wordsOf({ message, error }: { readonly message: string | null; readonly error?: unknown }): string {
  return shorten([message, error].filter((one) => typeof one === 'string' && one !== '').join(': '), 200);
}

/** The scores of some traces; null where the server has no such list. */
export async function readScores(
  connection: Connection,
  traceIds: Iterable<string>,
): Promise<readonly ServerScore[] | null> {
  return scoresOfTraces(connection, traceIds, 'details,subject,annotation', scoreRow);
}

const TRACES_PER_CALL = 50;
const CALLS_AT_A_TIME = 4;

/** The same with only some groups of fields. */
export async function scoresOfTraces<T>(
  connection: Connection,
  traceIds: Iterable<string>,
  groups: string,
  row: z.ZodType<T>,
): Promise<readonly T[] | null> {
  const all = [...new Set(traceIds)];
  const chunks = Array.from({ length: Math.ceil(all.length / TRACES_PER_CALL) }, (_, at) =>
    all.slice(at * TRACES_PER_CALL, (at + 1) * TRACES_PER_CALL).join(','),
  );
  const found = await sideBySide(chunks, CALLS_AT_A_TIME, (traceId) =>
    allByCursor(connection, 'read scores', row, (page, options) =>
      connection.api.scoresV3.getManyV3({ traceId, fields: groups, ...page }, options),
    ),
  );
  return found.some((scores) => scores === null) ? null : found.flatMap((scores) => scores ?? []);
}
