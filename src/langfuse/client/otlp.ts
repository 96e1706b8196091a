import type { OtelAttribute, OtelAttributeValue, OtelSpan, OtelTraceRequest } from '@langfuse/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';

// OTLP numbers the kinds from 1, the library from 0.
const KIND_OFFSET = 1;
const NANOSECONDS = 1_000_000_000n;

/** A finished span in OTLP's JSON, as Langfuse takes it at `/api/public/otel/v1/traces`. */
export function otlpSpan(span: ReadableSpan): OtelSpan {
  const { traceId, spanId } = span.spanContext();
  const parentSpanId = span.parentSpanContext?.spanId;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: span.name,
    kind: span.kind + KIND_OFFSET,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: attributesOf(span.attributes),
    status: { code: span.status.code, ...(span.status.message === undefined ? {} : { message: span.status.message }) },
  };
}

export function otlpRequest(scope: ReadableSpan['instrumentationScope'], spans: OtelSpan[]): OtelTraceRequest {
  const { name, version } = scope;
  const resource = { attributes: attributesOf({ 'service.name': 'assay' }) };
  return {
    resourceSpans: [
      { resource, scopeSpans: [{ scope: { name, ...(version === undefined ? {} : { version }) }, spans }] },
    ],
  };
}

/** Numbers too long for a double are text in OTLP's JSON. */
function nanoseconds([seconds, rest]: readonly [number, number]): string {
  return String(BigInt(seconds) * NANOSECONDS + BigInt(rest));
}

function attributesOf(attributes: Readonly<Record<string, unknown>>): OtelAttribute[] {
  return Object.entries(attributes).flatMap(([key, given]) => {
    const value = attributeValue(given);
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
