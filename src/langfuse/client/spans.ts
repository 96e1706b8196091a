import type { OtelAttributeValue, OtelSpan } from '@langfuse/core';
import type { createObservationAttributes } from '@langfuse/tracing';
import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { ItemTrace, RunInfo, TraceFields } from '../../experiment/backend.ts';
import { defined } from '../../experiment/defined.ts';
import { callMetadata, RETRIED, tryFields, tryId, usageCells } from '../../experiment/local-trace.ts';
import { jsonText } from '../../store/text-like-json.ts';
import { textOrNull } from './answers.ts';
import { type Connection, loadLangfuse } from './connection.ts';

/** Where the SDK's own experiments put theirs. */
export const ENVIRONMENT = 'sdk-experiment';

const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/;
const KIND_INTERNAL = 1;
const STATUS_ERROR = 2;
// Langfuse takes up to 16 MiB at once; servers before it often less.
const MOST_CHARACTERS = 2 << 20;
const MOST_TRACES = 50;

type Attributes = Readonly<Record<string, unknown>>;

/** The official packages that know how an observation is written as attributes, loaded when traces are sent. */
export async function loadTracing() {
  const [core, tracing] = await loadLangfuse(() =>
    Promise.all([import('@langfuse/core'), import('@langfuse/tracing')]),
  );
  return {
    scope: { name: core.LANGFUSE_TRACER_NAME, version: core.LANGFUSE_SDK_VERSION },
    names: core.LangfuseOtelSpanAttributes,
    observation: readableAttributes(tracing.createObservationAttributes),
  };
}

export type Tracing = Awaited<ReturnType<typeof loadTracing>>;

type MakeAttributes = typeof createObservationAttributes;

/** The package sends texts as they are, and Langfuse would read those that look like JSON as something else. */
function readableAttributes(make: MakeAttributes): MakeAttributes {
  const sent = (value: unknown): unknown => (typeof value === 'string' ? jsonText(value) : value);
  return (type, attributes) => {
    const { input, output, metadata } = attributes;
    return make(type, {
      ...attributes,
      input: sent(input),
      output: sent(output),
      ...(isRecord(metadata)
        ? { metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, sent(value)])) }
        : {}),
    });
  };
}

interface SpanInit extends Pick<OtelSpan, 'parentSpanId'> {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly attributes: Attributes;
  readonly isFailed?: boolean;
}

/**
 * A span in OTLP's JSON. Not made by a tracer: its ids are given, so that a trace that is sent again is the same trace,
 * and no variable of the environment can cut it short or leave it out.
 */
export function otlpSpan({ startedAt, endedAt, attributes, isFailed = false, ...span }: SpanInit): OtelSpan {
  if (!TRACE_ID.test(span.traceId) || !SPAN_ID.test(span.spanId))
    throw new TypeError(`the trace ${span.traceId} has ids that OpenTelemetry does not take`);
  const start = Date.parse(startedAt);
  return {
    ...span,
    kind: KIND_INTERNAL,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, Date.parse(endedAt))),
    attributes: attributeList(attributes),
    status: { code: isFailed ? STATUS_ERROR : 0 },
  };
}

/** Numbers too long for a double are text in OTLP's JSON. */
function nanoseconds(ms: number): string {
  return String(BigInt(ms) * 1_000_000n);
}

function attributeList(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, attribute]) => {
    const value = attributeValue(attribute);
    return value === null ? [] : [{ key, value }];
  });
}

/** Null for what is not there. The SDK's type has no lists; Langfuse reads one, of tags, from JSON too. */
function attributeValue(value: unknown): OtelAttributeValue | null {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Array.isArray(value)) return { stringValue: JSON.stringify(value) };
  if (typeof value !== 'number') return null;
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
}

const spansAnswer = z
  .object({
    partialSuccess: z
      .object({
        // Protobuf's JSON writes long numbers as text.
        rejectedSpans: z.union([z.number(), z.string().transform(Number)]).nullish(),
        errorMessage: textOrNull,
      })
      .nullish(),
  })
  .nullish();

/** Sends the spans of traces, and makes sure that the server has taken them all. */
export async function sendSpans(
  { api, calls }: Connection,
  { scope }: Tracing,
  traces: readonly (readonly OtelSpan[])[],
): Promise<void> {
  const resource = { attributes: attributeList({ 'service.name': 'assay' }) };
  for (const batch of batches(traces)) {
    const request = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: batch.flat() }] }] };
    const answer = await calls.make('send traces', spansAnswer, (options) =>
      api.opentelemetry.exportTraces(request, options),
    );
    const { rejectedSpans, errorMessage } = answer?.partialSuccess ?? {};
    if ((rejectedSpans ?? 0) > 0)
      throw new UsageError(
        calls.withoutKeys(
          `Langfuse at ${calls.place} took a batch of traces without ${rejectedSpans ?? 0} of its spans: ${errorMessage ?? 'it does not say why'}`,
        ),
      );
  }
}

function* batches(traces: readonly (readonly OtelSpan[])[]): Generator<readonly (readonly OtelSpan[])[]> {
  let batch: (readonly OtelSpan[])[] = [];
  let characters = 0;
  for (const spans of traces) {
    const { length } = JSON.stringify(spans);
    if (batch.length >= MOST_TRACES || (batch.length > 0 && characters + length > MOST_CHARACTERS)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(spans);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}

/** Of a trace: the root, the call within it, and the attempts before it. */
export function itemSpans(tracing: Tracing, trace: ItemTrace, run: RunInfo, experimentId: string): OtelSpan[] {
  const { names, observation } = tracing;
  const { traceId, rootId, callId, startedAt, endedAt, name, model, modelParameters, prompt, output, error } = trace;
  const shared = {
    [names.ENVIRONMENT]: ENVIRONMENT,
    ...experimentAttributes(tracing, run, experimentId, trace),
    ...traceAttributes(tracing, run.traces ?? {}, trace),
  };
  const span = (init: Omit<SpanInit, 'traceId' | 'startedAt'>): OtelSpan =>
    otlpSpan({ ...init, traceId, startedAt, attributes: { ...init.attributes, ...shared } });
  // A failure that was sent before is reset: otherwise a server may keep it.
  const outcome =
    error !== null
      ? ({ level: 'ERROR', statusMessage: `${error.kind}: ${error.message}` } as const)
      : trace.isRetried
        ? ({ level: 'DEFAULT', statusMessage: RETRIED } as const)
        : {};
  const isFailed = error !== null;
  const root = {
    ...observation('span', { input: trace.item.input, output, metadata: trace.metadata, ...outcome }),
    [names.TRACE_NAME]: name,
    [names.IS_APP_ROOT]: true,
  };
  const usage = Object.entries(usageCells(trace.usage)).filter(([, cells]) => Object.keys(cells).length > 0);
  // A generation, also if no model is known: Langfuse 3 keeps tokens and cost of no other kind.
  const call = observation('generation', {
    input: trace.request,
    output,
    ...outcome,
    metadata: callMetadata(trace),
    ...(model === null ? {} : { model, modelParameters: { ...modelParameters } }),
    ...(prompt === null ? {} : { prompt: { ...prompt, isFallback: false } }),
    ...Object.fromEntries(usage),
  });
  return [
    span({ spanId: rootId, name, endedAt, attributes: root, isFailed }),
    span({ spanId: callId, parentSpanId: rootId, name: model ?? 'target', endedAt, attributes: call, isFailed }),
    // At the start of the trace, whose length is that of the answer alone.
    ...trace.tries.map((attempt, at) => {
      const { name: attemptName, ...fields } = tryFields(attempt, at);
      const attributes = observation('event', fields);
      return span({
        spanId: tryId(trace, at),
        parentSpanId: rootId,
        name: attemptName,
        endedAt: startedAt,
        attributes,
      });
    }),
  ];
}

/** Fields that a run sets on its traces: on every span, since Langfuse 4 keeps them by span. */
function traceAttributes(
  { names }: Tracing,
  { sessionId, userId, tags, release, environment, metadata }: TraceFields,
  trace: ItemTrace,
): Attributes {
  // Metadata of a trace replaces that of its root: so all of it is sent.
  const all = metadata === undefined ? [] : Object.entries({ ...metadata, ...trace.metadata });
  return defined({
    [names.TRACE_SESSION_ID]: sessionId,
    [names.TRACE_USER_ID]: userId,
    [names.TRACE_TAGS]: tags,
    [names.RELEASE]: release ?? process.env['LANGFUSE_RELEASE'],
    [names.ENVIRONMENT]: environment,
    ...Object.fromEntries(all.map(([key, value]) => [`${names.TRACE_METADATA}.${key}`, textOf(value)])),
  });
}

/**
 * Of which item of which run it is: on every span of the trace. In Langfuse 4 this is the only link. The SDK's own way
 * of putting them there drops what is longer than 200 characters.
 */
function experimentAttributes(
  { names }: Tracing,
  { dataset, name, description, metadata }: RunInfo,
  experimentId: string,
  { item, rootId }: ItemTrace,
): Attributes {
  return {
    [names.EXPERIMENT_ID]: experimentId,
    [names.EXPERIMENT_NAME]: name,
    [names.EXPERIMENT_DESCRIPTION]: description,
    [names.EXPERIMENT_METADATA]: JSON.stringify(metadata),
    [names.EXPERIMENT_DATASET_ID]: dataset.id,
    [names.EXPERIMENT_ITEM_ID]: item.id,
    [names.EXPERIMENT_ITEM_EXPECTED_OUTPUT]: textOf(item.expectedOutput),
    [names.EXPERIMENT_ITEM_METADATA]: textOf(item.metadata),
    [names.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID]: rootId,
  };
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : jsonText(value);
}
