import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { scoreBody } from './scores.ts';
import * as v from './values.ts';

export const OBSERVATION_TYPES = [
  ...(['SPAN', 'GENERATION', 'EVENT', 'AGENT', 'TOOL'] as const),
  ...(['CHAIN', 'RETRIEVER', 'EVALUATOR', 'EMBEDDING', 'GUARDRAIL'] as const),
] as const;

const optionalId = v.optional(z.string().min(1));
const optionalName = v.optional(z.string());
const optionalTime = v.optional(v.sentTime);

const traceBody = z.object({
  id: optionalId,
  timestamp: optionalTime,
  ...v.fields(optionalName, 'name', 'userId', 'sessionId', 'release', 'version', 'environment'),
  ...v.fields(v.anyJson, 'input', 'output', 'metadata'),
  tags: v.optional(z.array(z.string())),
  public: v.optional(z.boolean()),
});

/** Counts of one name, with their details: `prompt_tokens_details: { cached_tokens: 3 }`. */
const usageDetails = z.record(z.string(), z.union([z.number(), z.record(z.string(), z.number().nullish())]).nullish());

const usage = z.object({
  unit: optionalName,
  ...v.fields(v.optional(z.number()), 'input', 'output', 'total', 'inputCost', 'outputCost', 'totalCost'),
  ...v.fields(v.optional(z.number()), 'promptTokens', 'completionTokens', 'totalTokens'),
});

const observationFields = z.object({
  ...v.fields(optionalId, 'id', 'traceId'),
  ...v.fields(optionalName, 'name', 'statusMessage', 'parentObservationId', 'version', 'environment', 'model'),
  ...v.fields(optionalTime, 'startTime', 'endTime', 'completionStartTime'),
  ...v.fields(v.anyJson, 'metadata', 'input', 'output'),
  level: v.optional(z.enum(v.LEVELS)),
  modelParameters: v.optional(z.record(z.string(), z.unknown())),
  usage: v.optional(usage),
  usageDetails: v.optional(usageDetails),
  costDetails: v.optional(v.numbersByName),
  promptName: optionalName,
  promptVersion: v.optional(z.int()),
});

const changedFields = observationFields.extend({ id: z.string().min(1) });
const typedFields = observationFields.extend({ type: z.enum(OBSERVATION_TYPES) });

export type IngestedTrace = z.output<typeof traceBody>;
export type IngestedObservation = z.output<typeof observationFields>;
export type IngestedUsage = z.output<typeof usage>;
export type IngestedUsageDetails = z.output<typeof usageDetails>;

function eventOf<const Type extends string, Body extends z.ZodType>(type: Type, body: Body) {
  return z.object({ type: z.literal(type), id: z.string().min(1), timestamp: v.sentTime, metadata: v.anyJson, body });
}

export const ingestionEvent = z.discriminatedUnion('type', [
  eventOf('trace-create', traceBody),
  eventOf('score-create', scoreBody),
  eventOf('span-create', observationFields),
  eventOf('span-update', changedFields),
  eventOf('generation-create', observationFields),
  eventOf('generation-update', changedFields),
  eventOf('event-create', observationFields),
  eventOf('observation-create', typedFields),
  eventOf('observation-update', typedFields),
  eventOf('sdk-log', z.object({ log: v.anyJson })),
]);

export type IngestionEvent = z.output<typeof ingestionEvent>;

function batchOf<Event extends z.ZodType>(event: Event) {
  return z.object({ batch: z.array(event), metadata: v.anyJson });
}

/** A batch whose events are still to be checked, one by one: a bad one does not spoil the rest. */
export const ingestionEnvelope = batchOf(z.unknown());

const wholeNumber = z.union([z.int(), z.string().regex(/^-?\d{1,19}$/)]).transform(Number);

/** A value as OpenTelemetry writes it in JSON; lists hold such values again. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly intValue: number }
  | { readonly doubleValue: number | string }
  | { readonly boolValue: boolean }
  | { readonly bytesValue: string }
  | { readonly arrayValue: { readonly values?: readonly OtlpValue[] | undefined } }
  | { readonly kvlistValue: { readonly values?: readonly OtlpAttribute[] | undefined } }
  | Readonly<Record<string, never>>;

export interface OtlpAttribute {
  readonly key: string;
  readonly value?: OtlpValue | undefined;
}

const otlpValue: z.ZodType<OtlpValue> = z.lazy(() =>
  z.union([
    z.object({ stringValue: z.string() }),
    z.object({ intValue: wholeNumber }),
    z.object({ doubleValue: z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]) }),
    z.object({ boolValue: z.boolean() }),
    z.object({ bytesValue: z.string() }),
    z.object({ arrayValue: z.object({ values: z.array(otlpValue).optional() }) }),
    z.object({ kvlistValue: z.object({ values: z.array(otlpAttribute).optional() }) }),
    z.strictObject({}),
  ]),
);
const otlpAttribute = z.object({ key: z.string(), value: otlpValue.optional() });
const otlpAttributes = z.array(otlpAttribute).nullish();

const nanoseconds = z
  .union([z.string().regex(/^\d{1,20}$/), z.int().min(0)])
  .transform((value) => new Date(Number(BigInt(value) / 1_000_000n)).toISOString());

export const otlpSpanShape = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/i, { error: 'expected 32 hex digits' }),
  spanId: z.string().regex(/^[0-9a-f]{16}$/i, { error: 'expected 16 hex digits' }),
  parentSpanId: z
    .string()
    .regex(/^(?:[0-9a-f]{16})?$/i, { error: 'expected 16 hex digits' })
    .nullish(),
  name: z.string(),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds.nullish(),
  attributes: otlpAttributes,
  status: z.object({ code: z.int().nullish(), message: z.string().nullish() }).nullish(),
});

export type OtlpSpan = z.output<typeof otlpSpanShape>;

function exportOf<Span extends z.ZodType>(span: Span) {
  const scope = z.object({ name: z.string().nullish(), version: z.string().nullish() });
  const scopeSpans = z.array(z.object({ scope: scope.nullish(), spans: z.array(span).nullish() }));
  const resource = z.object({ attributes: otlpAttributes });
  return z.object({
    resourceSpans: z.array(z.object({ resource: resource.nullish(), scopeSpans: scopeSpans.nullish() })),
  });
}

/** An export whose spans are still to be checked, one by one: a bad one does not spoil the rest. */
export const exportEnvelope = exportOf(z.unknown());

export const ingestionApi = {
  ingest: endpoint('POST', '/api/public/ingestion', {
    request: batchOf(ingestionEvent),
    answer: z.strictObject({
      successes: z.array(z.strictObject({ id: z.string(), status: z.int() })),
      errors: z.array(
        z.strictObject({ id: z.string(), status: z.int(), message: z.string().optional(), error: v.anyJson }),
      ),
    }),
    status: 207,
    isQueued: true,
  }),
  exportTraces: endpoint('POST', '/api/public/otel/v1/traces', {
    request: exportOf(otlpSpanShape),
    answer: z.strictObject({
      partialSuccess: z.strictObject({ rejectedSpans: z.int().min(1), errorMessage: z.string() }).optional(),
    }),
    mostMiB: 16,
    isQueued: true,
  }),
};
