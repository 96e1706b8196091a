import type { createObservationAttributes } from '@langfuse/tracing';

import { isRecord } from '../../data/record-fields.ts';
import { jsonText } from '../../store/text-like-json.ts';

/**
 * The official packages, loaded when Langfuse is used and not before. They print whole documents with their warnings,
 * so their log is switched off first: what goes wrong comes back as an error here.
 */
export async function loadSdk() {
  const { configureGlobalLogger, LogLevel } = await import('@langfuse/core');
  configureGlobalLogger({ level: LogLevel.NONE });
  return import('@langfuse/client');
}

export async function loadTracing() {
  const [core, otel, tracing, trace, api] = await Promise.all([
    import('@langfuse/core'),
    import('@langfuse/otel'),
    import('@langfuse/tracing'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/api'),
  ]);
  const { LANGFUSE_SDK_VERSION, LANGFUSE_TRACER_NAME } = core;
  const { LangfuseOtelSpanAttributes } = tracing;
  return {
    LANGFUSE_SDK_VERSION,
    LANGFUSE_TRACER_NAME,
    LangfuseSpanProcessor: otel.LangfuseSpanProcessor,
    LangfuseOtelSpanAttributes,
    createObservationAttributes: readableAttributes(tracing.createObservationAttributes),
    trace,
    api,
  };
}

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

export type Tracing = Awaited<ReturnType<typeof loadTracing>>;
