import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { observationQuery } from './observations.ts';
import { cursorMeta, cursorQuery } from './paging.ts';
import { fieldGroups, flagText, json, LEVELS, listText, numbersByName, time } from './values.ts';

const MOST_OBSERVATIONS = 1000;

const FIELD_GROUPS = [
  'core',
  'basic',
  'time',
  'io',
  'metadata',
  'model',
  'usage',
  'prompt',
  'metrics',
  'trace_context',
] as const;

/** Fields after the first ten are there where their group was asked for. */
const observationV2 = z.strictObject({
  id: z.string(),
  traceId: z.string().nullable(),
  startTime: time,
  endTime: time.nullable(),
  projectId: z.string(),
  parentObservationId: z.string().nullable(),
  type: z.string(),
  modelId: z.string().nullable(),
  inputPrice: z.string().nullable(),
  outputPrice: z.string().nullable(),
  totalPrice: z.string().nullable(),

  isRootObservation: z.boolean().optional(),
  name: z.string().nullish(),
  level: z.enum(LEVELS).optional(),
  statusMessage: z.string().nullish(),
  version: z.string().nullish(),
  environment: z.string().nullish(),
  bookmarked: z.boolean().optional(),
  public: z.boolean().optional(),
  userId: z.string().nullish(),
  sessionId: z.string().nullish(),

  completionStartTime: time.nullish(),
  createdAt: time.optional(),
  updatedAt: time.optional(),

  /** Texts always: what is no text is written as JSON. */
  input: z.string().nullish(),
  output: z.string().nullish(),
  metadata: json,

  model: z.string().nullish(),
  internalModelId: z.string().nullish(),
  modelParameters: json,

  usageDetails: numbersByName.optional(),
  costDetails: numbersByName.optional(),
  totalCost: z.number().nullish(),
  usagePricingTierName: z.string().nullish(),

  promptId: z.string().nullish(),
  promptName: z.string().nullish(),
  promptVersion: z.number().nullish(),

  latency: z.number().nullish(),
  timeToFirstToken: z.number().nullish(),

  traceName: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  release: z.string().nullish(),
});

const listQuery = z.object({
  ...observationQuery,
  ...cursorQuery(MOST_OBSERVATIONS),
  fields: fieldGroups(FIELD_GROUPS).optional(),
  expandMetadata: listText.optional(),
  parseIoAsJson: z.literal('false', { error: 'is gone: input and output are always texts' }).optional(),
  sessionId: z.string().optional(),
  isRootObservation: flagText.optional(),
});

export const listObservationsV2 = endpoint('GET', '/api/public/v2/observations', {
  generation: 4,
  query: listQuery,
  answer: z.strictObject({ data: z.array(observationV2), meta: cursorMeta }),
});
