import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { scoreLimit } from './experiments.ts';
import { cursorMeta, cursorQuery } from './paging.ts';
import { scoreV3 } from './scores-v3.ts';
import { fieldGroups, givenTime, LEVELS, listText, textsByName, time } from './values.ts';

const FIELD_GROUPS = ['core', 'dataset', 'io', 'metadata', 'itemMetadata', 'experimentMetadata', 'scores'] as const;

const experimentItem = z.strictObject({
  id: z.string(),
  traceId: z.string(),
  startTime: time,
  endTime: time.nullable(),
  level: z.enum(LEVELS),
  environment: z.string(),
  experimentId: z.string(),
  experimentName: z.string(),
  experimentItemId: z.string(),
  experimentDatasetId: z.string().nullish(),
  experimentItemVersion: z.string().nullish(),
  /** Texts always: what is no text is written as JSON. */
  input: z.string().nullish(),
  output: z.string().nullish(),
  expectedOutput: z.string().nullish(),
  /** Texts under names with dots. */
  metadata: textsByName.optional(),
  experimentItemMetadata: textsByName.optional(),
  experimentMetadata: textsByName.optional(),
  experimentDescription: z.string().nullish(),
  scores: z.array(scoreV3).optional(),
});

const listQuery = z.object({
  ...cursorQuery(),
  fields: fieldGroups(FIELD_GROUPS).optional(),
  scoreLimit,
  fromStartTime: givenTime,
  toStartTime: givenTime.optional(),
  experimentId: listText.optional(),
  experimentName: listText.optional(),
  experimentItemId: listText.optional(),
  datasetId: listText.optional(),
  filter: z.string().optional(),
});

export const listExperimentItems = endpoint('GET', '/api/public/experiment-items', {
  generation: 4,
  query: listQuery,
  answer: z.strictObject({ data: z.array(experimentItem), meta: cursorMeta }),
});
