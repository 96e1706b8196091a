import type { OtelSpan } from '@langfuse/core';
import type { Attributes } from '@opentelemetry/api';
import type { IdGenerator, ReadableSpan } from '@opentelemetry/sdk-trace-node';

import type { ItemTrace, RunInfo } from '../../experiment/backend.ts';
import { tryId } from '../../experiment/local-trace.ts';
import { otlpSpan } from './otlp.ts';
import type { Tracing } from './sdk.ts';
import {
  callAttributes,
  experimentAttributes,
  rootAttributes,
  traceAttributes,
  tryAttributes,
} from './span-attributes.ts';

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
 * Turns traces into spans by the official tracing packages, on a provider of its own that nothing else sees. Finished
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
    // All is said here, since variables of the environment would else cut documents short or leave spans out.
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
      // Afterwards: what is said here goes before the processor's own environment and release.
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
