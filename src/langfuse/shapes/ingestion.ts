import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { scoreBody } from './scores.ts';
import { fields, givenTime, json, LEVELS, numbersByName, OBSERVATION_TYPES, optional } from './values.ts';

const optionalId = optional(z.string().min(1));
const optionalName = optional(z.string());
const optionalTime = optional(givenTime);

const traceBody = z.object({
  id: optionalId,
  timestamp: optionalTime,
  ...fields(optionalName, 'name', 'userId', 'sessionId', 'release', 'version', 'environment'),
  ...fields(json, 'input', 'output', 'metadata'),
  tags: optional(z.array(z.string())),
  public: optional(z.boolean()),
});

/** Counts of one name, with their details: `prompt_tokens_details: { cached_tokens: 3 }`. */
const usageDetails = z.record(z.string(), z.union([z.number(), z.record(z.string(), z.number().nullish())]).nullish());

const usage = z.object({
  unit: optionalName,
  ...fields(optional(z.number()), 'input', 'output', 'total', 'inputCost', 'outputCost', 'totalCost'),
  ...fields(optional(z.number()), 'promptTokens', 'completionTokens', 'totalTokens'),
});

const observationFields = z.object({
  ...fields(optionalId, 'id', 'traceId'),
  ...fields(optionalName, 'name', 'statusMessage', 'parentObservationId', 'version', 'environment', 'model'),
  ...fields(optionalTime, 'startTime', 'endTime', 'completionStartTime'),
  ...fields(json, 'metadata', 'input', 'output'),
  level: optional(z.enum(LEVELS)),
  modelParameters: optional(z.record(z.string(), z.unknown())),
  usage: optional(usage),
  usageDetails: optional(usageDetails),
  costDetails: optional(numbersByName),
  promptName: optionalName,
  promptVersion: optional(z.int()),
});

const changedFields = observationFields.extend({ id: z.string().min(1) });
const typedFields = observationFields.extend({ type: z.enum(OBSERVATION_TYPES) });

export type IngestedTrace = z.output<typeof traceBody>;
export type IngestedObservation = z.output<typeof observationFields>;
export type IngestedUsage = z.output<typeof usage>;
export type IngestedUsageDetails = z.output<typeof usageDetails>;

function eventOf<const Type extends string, Body extends z.ZodType>(type: Type, body: Body) {
  return z.object({ type: z.literal(type), id: z.string().min(1), timestamp: givenTime, metadata: json, body });
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
  eventOf('sdk-log', z.object({ log: json })),
]);

export type IngestionEvent = z.output<typeof ingestionEvent>;

function batchOf<Event extends z.ZodType>(event: Event) {
  return z.object({ batch: z.array(event), metadata: json });
}

/** A batch whose events are still to be checked, one by one: a bad one does not spoil the rest. */
export const ingestionEnvelope = batchOf(z.unknown());

export const ingest = endpoint('POST', '/api/public/ingestion', {
  request: batchOf(ingestionEvent),
  answer: z.strictObject({
    successes: z.array(z.strictObject({ id: z.string(), status: z.int() })),
    errors: z.array(z.strictObject({ id: z.string(), status: z.int(), message: z.string().optional(), error: json })),
  }),
  status: 207,
});
