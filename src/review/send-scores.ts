import { randomUUID } from 'node:crypto';

import type { OtelAttribute, OtelSpan } from '@langfuse/core';

import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import { langfuseAccess } from '../langfuse/client/access.ts';
import { anyAnswer, spansAnswer } from '../langfuse/client/answers.ts';
import { PATIENCE } from '../langfuse/client/calls.ts';
import { connect, type Connection } from '../langfuse/client/connection.ts';
import type { Environment } from '../langfuse/client/has-langfuse.ts';
import { sendEvents } from '../langfuse/client/older-api.ts';
import { otlpRequest } from '../langfuse/client/otlp.ts';
import type { ScoreEvent } from '../langfuse/client/score-event.ts';
import { loadTracing, type Tracing } from '../langfuse/client/sdk.ts';
import { sideBySide } from '../langfuse/client/side-by-side.ts';
import type { Store } from '../store/store.ts';
import { type ReviewScore, type ReviewTrace, reviewScores } from './review-scores.ts';
import type { ReviewSnapshot } from './snapshot.ts';

export interface SentScores {
  readonly scores: number;
  /** Traces that were made for items without one. */
  readonly traces: number;
  /** Scores of answers that have been taken back since; -1 where they cannot be found. */
  readonly removed: number;
  readonly place: string;
}

const SCORES_PER_BATCH = 100;
const SPANS_PER_BATCH = 50;
const AT_A_TIME = 8;
const SPAN_KIND_INTERNAL = 1;

/** Into the store's own table of scores. Again changes nothing but what people have changed. */
export function keepScores(store: Store, snapshot: ReviewSnapshot): SentScores {
  const { review } = snapshot;
  const { scores, traces } = reviewScores(snapshot);
  return store.transaction(() => {
    for (const { traceId, name, input, output, metadata } of traces)
      store.traces.save({ id: traceId, timestamp: review.createdAt, name, input, output, metadata });
    const kept = new Set(scores.map(({ id }) => id));
    let removed = 0;
    for (const traceId of new Set([...scores, ...traces].map((one) => one.traceId)))
      for (const old of store.scores.ofTrace(traceId))
        if (isOf(review.name, old) && !kept.has(old.id) && store.scores.delete(old.id)) removed += 1;
    for (const { reviewer, value, dataType, ...score } of scores)
      store.scores.put({
        ...score,
        dataType,
        value: dataType === 'BOOLEAN' ? value === 1 : value,
        source: 'ANNOTATION',
        authorUserId: reviewer,
        timestamp: review.createdAt,
      });
    return { scores: scores.length, traces: traces.length, removed, place: store.file };
  });
}

function isOf(review: string, { name, metadata }: { readonly name: string; readonly metadata: unknown }): boolean {
  return name.startsWith('review_') && isRecord(metadata) && metadata['review'] === review;
}

/** To Langfuse, with its keys from the environment. Again changes nothing but what people have changed. */
export async function sendScores(environment: Environment, snapshot: ReviewSnapshot): Promise<SentScores> {
  const access = langfuseAccess(environment);
  const connection = await connect(access, null, PATIENCE);
  const { scores, traces } = reviewScores(snapshot);
  const at = snapshot.review.createdAt;
  if (traces.length > 0) await sendTraces(connection, traces, at);
  for (let from = 0; from < scores.length; from += SCORES_PER_BATCH)
    await sendBatch(
      connection,
      scores.slice(from, from + SCORES_PER_BATCH).map((score) => eventOf(score, at)),
    );
  return { scores: scores.length, traces: traces.length, removed: -1, place: access.baseUrl };
}

async function sendTraces({ api, calls }: Connection, traces: readonly ReviewTrace[], at: string): Promise<void> {
  const sdk = await loadTracing();
  const scope = { name: sdk.LANGFUSE_TRACER_NAME, version: sdk.LANGFUSE_SDK_VERSION };
  for (let from = 0; from < traces.length; from += SPANS_PER_BATCH) {
    const spans = traces.slice(from, from + SPANS_PER_BATCH).map((trace) => spanOf(sdk, trace, at));
    const answer = await calls.make('send traces', spansAnswer, (options) =>
      api.opentelemetry.exportTraces(otlpRequest(scope, spans), options),
    );
    const rejected = answer?.partialSuccess?.rejectedSpans ?? 0;
    if (rejected > 0)
      throw new UsageError(
        calls.withoutKeys(
          `Langfuse at ${calls.place} did not take ${rejected} of ${spans.length} traces: ${answer?.partialSuccess?.errorMessage ?? 'it does not say why'}`,
        ),
      );
  }
}

function spanOf(sdk: Tracing, trace: ReviewTrace, at: string): OtelSpan {
  const { traceId, spanId, name, input, output, metadata } = trace;
  const time = String(BigInt(Date.parse(at)) * 1_000_000n);
  const attributes: Record<string, unknown> = {
    ...sdk.createObservationAttributes('span', { input, ...(output === null ? {} : { output }), metadata }),
    [sdk.LangfuseOtelSpanAttributes.TRACE_NAME]: name,
  };
  return {
    traceId,
    spanId,
    name,
    kind: SPAN_KIND_INTERNAL,
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes: Object.entries(attributes).flatMap(([key, value]): OtelAttribute[] =>
      typeof value === 'string' ? [{ key, value: { stringValue: value } }] : [],
    ),
    status: { code: 0 },
  };
}

/** The server says of each whether it has taken it. */
async function sendBatch(connection: Connection, batch: readonly ScoreEvent[]): Promise<void> {
  const answer = await sendEvents(connection, batch);
  if (answer === null) {
    const { api, calls } = connection;
    await sideBySide(batch, AT_A_TIME, ({ body: { metadata: _, ...request } }) =>
      calls.make('send a score', anyAnswer, (options) => api.scores.create(request, options)),
    );
    return;
  }
  const taken = new Set(answer.successes.map(({ id }) => id));
  const left = batch.filter(({ id }) => !taken.has(id));
  if (left.length === 0) return;
  const why = answer.errors[0];
  const { calls } = connection;
  throw new UsageError(
    calls.withoutKeys(
      `Langfuse at ${calls.place} did not take ${left.length} of ${batch.length} scores: ${why === undefined ? 'it does not say why' : `HTTP ${why.status} ${shorten(why.message ?? '', 200)}`}`,
    ),
    'try again: what it has taken is not doubled',
  );
}

/** Langfuse keeps scores by day, so each has the time of the review: at another time it would be another score. */
function eventOf({ reviewer: _, comment, ...score }: ReviewScore, at: string): ScoreEvent {
  return {
    id: randomUUID(),
    type: 'score-create',
    timestamp: at,
    body: { ...score, ...(comment === null ? {} : { comment }) },
  };
}
