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
  const { createObservationAttributes, LangfuseOtelSpanAttributes } = tracing;
  return {
    LANGFUSE_SDK_VERSION,
    LANGFUSE_TRACER_NAME,
    LangfuseSpanProcessor: otel.LangfuseSpanProcessor,
    LangfuseOtelSpanAttributes,
    createObservationAttributes,
    trace,
    api,
  };
}

export type Tracing = Awaited<ReturnType<typeof loadTracing>>;
