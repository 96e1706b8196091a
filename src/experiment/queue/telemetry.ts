import type { QueueOptions } from 'bullmq';

/** Optional, and no type of it is needed: what BullMQ takes is an interface. */
const PACKAGE: string = 'bullmq-otel';

/**
 * Spans and metrics of jobs for OpenTelemetry, if its environment asks for them and bullmq-otel is installed. They name queue, job and
 * worker; questions and answers are not in jobs.
 */
export async function queueTelemetry(): Promise<QueueOptions['telemetry']> {
  if (!Object.keys(process.env).some((name) => /^OTEL_(?:TRACES_|METRICS_)?EXPORTER/.test(name))) return undefined;
  const loaded: unknown = await import(PACKAGE).catch(() => null);
  const options = { tracerName: 'assay', meterName: 'assay', enableMetrics: true };
  return isTelemetryPackage(loaded) ? new loaded.BullMQOtel(options) : undefined;
}

function isTelemetryPackage(
  loaded: unknown,
): loaded is { readonly BullMQOtel: new (options: object) => NonNullable<QueueOptions['telemetry']> } {
  return typeof loaded === 'object' && loaded !== null && 'BullMQOtel' in loaded;
}
