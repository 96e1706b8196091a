import { z } from 'zod';

import { endpoint } from './endpoint.ts';

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

export const otlpSpan = z.object({
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

export type OtlpSpan = z.output<typeof otlpSpan>;

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

export const exportTraces = endpoint('POST', '/api/public/otel/v1/traces', {
  request: exportOf(otlpSpan),
  answer: z.strictObject({
    partialSuccess: z.strictObject({ rejectedSpans: z.int().min(1), errorMessage: z.string() }).optional(),
  }),
});
