import type { OtelAttribute, OtelSpan } from '@langfuse/core';

import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { langfuseAccess } from '../langfuse/client/access.ts';
import { spansAnswer } from '../langfuse/client/answers.ts';
import { PATIENCE } from '../langfuse/client/calls.ts';
import { connect, type Connection } from '../langfuse/client/connection.ts';
import { deliverScores } from '../langfuse/client/deliver-scores.ts';
import type { Environment } from '../langfuse/client/has-langfuse.ts';
import { otlpRequest } from '../langfuse/client/otlp.ts';
import { loadTracing, type Tracing } from '../langfuse/client/sdk.ts';
import type { Store } from '../store/store.ts';
import { type ReviewTrace, reviewScores } from './review-scores.ts';
import type { ReviewSnapshot } from './snapshot.ts';

export interface SentScores {
  readonly scores: number;
  /** Traces for items without one: those that were not there yet, or all that were sent where that cannot be told. */
  readonly traces: number;
  readonly tracesAre: 'made' | 'sent';
  /** Scores of answers that have been taken back since; -1 where they cannot be found. */
  readonly removed: number;
  readonly place: string;
}

/** What people say is no figure of an experiment. */
const PEOPLE = 'default';
const SPANS_PER_BATCH = 50;
const SPAN_KIND_INTERNAL = 1;

/** Into the store's own table of scores. Again changes nothing but what people have changed. */
export function keepScores(store: Store, snapshot: ReviewSnapshot): SentScores {
  const { review } = snapshot;
  const { scores, traces } = reviewScores(snapshot);
  return store.transaction(() => {
    const made = traces.filter(({ traceId }) => store.traces.get(traceId) === null).length;
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
    return { scores: scores.length, traces: made, tracesAre: 'made', removed, place: store.file };
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
  // Langfuse keeps scores by day, so each has the time of the review: at another time it would be another score.
  await deliverScores(
    connection,
    scores.map(({ reviewer: _, ...score }) => ({ ...score, environment: PEOPLE, at })),
  );
  return { scores: scores.length, traces: traces.length, tracesAre: 'sent', removed: -1, place: access.baseUrl };
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
