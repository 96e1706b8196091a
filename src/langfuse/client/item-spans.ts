import type { OtelSpan } from '@langfuse/core';
import type { Attributes } from '@opentelemetry/api';
import type { IdGenerator, ReadableSpan } from '@opentelemetry/sdk-trace-node';

import type { ItemTrace, RunInfo, TraceFields } from '../../experiment/backend.ts';
import { callMetadata, RETRIED, tryFields, tryId, usageCells } from '../../experiment/local-trace.ts';
import { defined } from '../../experiment/defined.ts';
import type { FailedTry } from '../../experiment/targets/target.ts';
import { jsonText } from '../../store/text-like-json.ts';
import { otlpSpan } from './otlp.ts';
import type { Tracing } from './sdk.ts';

/** Where the SDK's own experiments put theirs. */
export const ENVIRONMENT = 'sdk-experiment';

const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/;

export interface TraceSpans {
  readonly trace: ItemTrace;
  /** The root, the call within it, and the attempts before it. */
  readonly spans: readonly OtelSpan[];
  readonly scope: ReadableSpan['instrumentationScope'];
}

/**
 * Turns traces into spans by the official tracing packages, on a separate provider that nothing else sees. Finished
 * spans are handed back, not sent: the packages' own queue drops what is too much, and what a server did not take.
 */
export class ItemSpans {
  readonly #sdk: Tracing;
  readonly #ids = new GivenIds();
  readonly #exporter;
  readonly #finished = new Map<string, ReadableSpan>();
  readonly #processor;
  readonly #provider;
  readonly #tracer;

  constructor(sdk: Tracing) {
    this.#sdk = sdk;
    this.#exporter = new sdk.trace.InMemorySpanExporter();
    this.#processor = new sdk.LangfuseSpanProcessor({
      exporter: this.#exporter,
      exportMode: 'immediate',
      environment: ENVIRONMENT,
      // Documents may hold images in base64: they stay where they are.
      mediaUploadEnabled: false,
    });
    // Everything is set here, since environment variables could otherwise cut documents short or leave spans out.
    this.#provider = new sdk.trace.NodeTracerProvider({
      idGenerator: this.#ids,
      sampler: new sdk.trace.AlwaysOnSampler(),
      spanLimits: { attributeCountLimit: 10_000, attributeValueLengthLimit: Infinity },
      spanProcessors: [this.#processor],
    });
    this.#tracer = this.#provider.getTracer(sdk.LANGFUSE_TRACER_NAME, sdk.LANGFUSE_SDK_VERSION);
  }

  async of(traces: readonly ItemTrace[], run: RunInfo, experimentId: string): Promise<TraceSpans[]> {
    for (const trace of traces)
      this.#record(trace, {
        ...experimentAttributes(this.#sdk, run, experimentId, trace),
        ...traceAttributes(this.#sdk, run.traces ?? {}, trace),
      });
    await this.#processor.forceFlush();
    // Another run may be at it as well, so what is finished may be of either.
    for (const span of this.#exporter.getFinishedSpans()) this.#finished.set(keyOf(span.spanContext()), span);
    this.#exporter.reset();
    return traces.map((trace) => {
      const ids = [trace.rootId, trace.callId, ...trace.tries.map((_, at) => tryId(trace, at))];
      const own = ids.flatMap((spanId) => this.#take({ traceId: trace.traceId, spanId }));
      if (own.length !== ids.length)
        throw new Error(`${own.length} of ${ids.length} spans were made for the trace ${trace.traceId}`);
      return { trace, spans: own.map(otlpSpan), scope: own[0]!.instrumentationScope };
    });
  }

  async close(): Promise<void> {
    await this.#provider.shutdown();
  }

  #take(id: { readonly traceId: string; readonly spanId: string }): ReadableSpan[] {
    const span = this.#finished.get(keyOf(id));
    this.#finished.delete(keyOf(id));
    return span === undefined ? [] : [span];
  }

  #record(trace: ItemTrace, shared: Attributes): void {
    const { traceId, rootId, callId } = trace;
    if (!TRACE_ID.test(traceId) || !SPAN_ID.test(rootId) || !SPAN_ID.test(callId))
      throw new TypeError(`the trace ${traceId} has ids that OpenTelemetry does not take`);
    const { api } = this.#sdk;
    const startTime = timeOf(trace.startedAt);
    const ended = timeOf(trace.endedAt);
    const endTime = ended < startTime ? startTime : ended;
    const start = (id: string, name: string, attributes: Attributes, parent = api.ROOT_CONTEXT) => {
      this.#ids.next(traceId, id);
      const span = this.#tracer.startSpan(name, { startTime, attributes }, parent);
      // Afterwards: what is set here overrides the processor's own environment and release.
      return span.setAttributes(shared);
    };
    const root = start(rootId, trace.name, rootAttributes(this.#sdk, trace));
    const within = api.trace.setSpan(api.ROOT_CONTEXT, root);
    const call = start(callId, trace.model ?? 'target', callAttributes(this.#sdk, trace), within);
    if (trace.error !== null) for (const span of [root, call]) span.setStatus({ code: api.SpanStatusCode.ERROR });
    call.end(endTime);
    for (const [at, attempt] of trace.tries.entries())
      start(tryId(trace, at), `attempt ${at + 1}`, tryAttributes(this.#sdk, attempt, at), within).end(startTime);
    root.end(endTime);
  }
}

function keyOf({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }): string {
  return `${traceId}/${spanId}`;
}

/** As a date: a number would be taken for the time since this process began. */
function timeOf(iso: string): Date {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) throw new TypeError(`${iso} is no time`);
  return time;
}

/** Gives spans the ids they are meant to have: a trace that is sent again is the same trace. */
class GivenIds implements IdGenerator {
  #traceId: string | null = null;
  #spanId: string | null = null;

  /** For the span that is started next. */
  next(traceId: string, spanId: string): void {
    this.#traceId = traceId;
    this.#spanId = spanId;
  }

  readonly generateTraceId = (): string => known(this.#traceId);

  readonly generateSpanId = (): string => {
    const id = known(this.#spanId);
    this.#spanId = null;
    return id;
  };
}

function known(id: string | null): string {
  if (id === null) throw new Error('a span was started for which no id was given');
  return id;
}

/** Of the root: what was asked, and what came of it. */
function rootAttributes(sdk: Tracing, trace: ItemTrace): Attributes {
  const { LangfuseOtelSpanAttributes: names, createObservationAttributes } = sdk;
  return {
    ...createObservationAttributes('span', {
      input: trace.item.input,
      output: trace.output,
      metadata: trace.metadata,
      ...failureOf(trace),
    }),
    [names.TRACE_NAME]: trace.name,
  };
}

/** Fields that a run sets on its traces: on every span, since Langfuse 4 keeps them by span. */
function traceAttributes(
  { LangfuseOtelSpanAttributes: names }: Tracing,
  { sessionId, userId, tags, release, environment, metadata }: TraceFields,
  trace: ItemTrace,
): Attributes {
  // Metadata of a trace replaces that of its root: so all of it is sent.
  const all = metadata === undefined ? [] : Object.entries({ ...metadata, ...trace.metadata });
  return {
    ...defined({
      [names.TRACE_SESSION_ID]: sessionId,
      [names.TRACE_USER_ID]: userId,
      [names.TRACE_TAGS]: tags === undefined ? undefined : [...tags],
      [names.RELEASE]: release,
      [names.ENVIRONMENT]: environment,
    }),
    ...Object.fromEntries(
      all.flatMap(([key, value]) => Object.entries(textOf(`${names.TRACE_METADATA}.${key}`, value))),
    ),
  };
}

/** Of the target's call. A generation, also if no model is known: Langfuse 3 keeps tokens and cost of no other kind. */
function callAttributes(sdk: Tracing, trace: ItemTrace): Attributes {
  const { request, output, model, modelParameters, prompt, usage } = trace;
  return sdk.createObservationAttributes('generation', {
    input: request,
    output,
    ...failureOf(trace),
    metadata: callMetadata(trace),
    ...(model === null ? {} : { model, modelParameters: { ...modelParameters } }),
    ...(prompt === null ? {} : { prompt: { ...prompt, isFallback: false } }),
    ...usageOf(usage),
  });
}

/** Of an attempt that failed before: an event at the start of the trace, whose length is that of the answer alone. */
function tryAttributes(sdk: Tracing, attempt: FailedTry, at: number): Attributes {
  const { level, statusMessage, metadata } = tryFields(attempt, at);
  return sdk.createObservationAttributes('event', { level, statusMessage, metadata });
}

/**
 * Of which item of which run it is: on every span of the trace. In Langfuse 4 this is the only link. The SDK's own way
 * of putting them there drops what is longer than 200 characters.
 */
function experimentAttributes(
  { LangfuseOtelSpanAttributes: names }: Tracing,
  { dataset, name, description, metadata }: RunInfo,
  experimentId: string,
  { item, rootId }: ItemTrace,
): Attributes {
  return {
    [names.EXPERIMENT_ID]: experimentId,
    [names.EXPERIMENT_NAME]: name,
    ...(description === null ? {} : { [names.EXPERIMENT_DESCRIPTION]: description }),
    [names.EXPERIMENT_METADATA]: JSON.stringify(metadata),
    [names.EXPERIMENT_DATASET_ID]: dataset.id,
    [names.EXPERIMENT_ITEM_ID]: item.id,
    ...textOf(names.EXPERIMENT_ITEM_EXPECTED_OUTPUT, item.expectedOutput),
    ...textOf(names.EXPERIMENT_ITEM_METADATA, item.metadata),
    [names.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID]: rootId,
  };
}

function textOf(name: string, value: unknown): Attributes {
  if (value === undefined || value === null) return {};
  return { [name]: jsonText(value) };
}

/** A failure that was sent before is reset: otherwise a server may keep it. */
function failureOf({ error, isRetried }: ItemTrace): { level?: 'ERROR' | 'DEFAULT'; statusMessage?: string } {
  if (error !== null) return { level: 'ERROR', statusMessage: `${error.kind}: ${error.message}` };
  return isRetried ? { level: 'DEFAULT', statusMessage: RETRIED } : {};
}

function usageOf(usage: ItemTrace['usage']) {
  const filled = Object.entries(usageCells(usage)).filter(([, cells]) => Object.keys(cells).length > 0);
  return Object.fromEntries(filled);
}
