import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { scoreBody } from './scores.ts';
import { givenTime, json, LEVELS, numbersByName, OBSERVATION_TYPES, optional } from './values.ts';

const traceBody = z.object({
  id: optional(z.string().min(1)),
  timestamp: optional(givenTime),
  name: optional(z.string()),
  userId: optional(z.string()),
  input: json,
  output: json,
  sessionId: optional(z.string()),
  release: optional(z.string()),
  version: optional(z.string()),
  metadata: json,
  tags: optional(z.array(z.string())),
  environment: optional(z.string()),
  public: optional(z.boolean()),
});

/** Counts of one name, with their details: `prompt_tokens_details: { cached_tokens: 3 }`. */
const usageDetails = z.record(z.string(), z.union([z.number(), z.record(z.string(), z.number().nullish())]).nullish());

const usage = z.object({
  input: optional(z.number()),
  output: optional(z.number()),
  total: optional(z.number()),
  unit: optional(z.string()),
  inputCost: optional(z.number()),
  outputCost: optional(z.number()),
  totalCost: optional(z.number()),
  promptTokens: optional(z.number()),
  completionTokens: optional(z.number()),
  totalTokens: optional(z.number()),
});

const observationFields = z.object({
  id: optional(z.string().min(1)),
  traceId: optional(z.string().min(1)),
  name: optional(z.string()),
  startTime: optional(givenTime),
  endTime: optional(givenTime),
  completionStartTime: optional(givenTime),
  metadata: json,
  input: json,
  output: json,
  level: optional(z.enum(LEVELS)),
  statusMessage: optional(z.string()),
  parentObservationId: optional(z.string()),
  version: optional(z.string()),
  environment: optional(z.string()),
  model: optional(z.string()),
  modelParameters: optional(z.record(z.string(), z.unknown())),
  usage: optional(usage),
  usageDetails: optional(usageDetails),
  costDetails: optional(numbersByName),
  promptName: optional(z.string()),
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

/** A batch whose events are still to be looked at, one by one: a bad one does not spoil the rest. */
export const ingestionEnvelope = batchOf(z.unknown());

export const ingest = endpoint('POST', '/api/public/ingestion', {
  request: batchOf(ingestionEvent),
  answer: z.strictObject({
    successes: z.array(z.strictObject({ id: z.string(), status: z.int() })),
    errors: z.array(
      z.strictObject({
        id: z.string(),
        status: z.int(),
        message: z.string().optional(),
        error: json,
      }),
    ),
  }),
  status: 207,
});
