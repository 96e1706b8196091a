import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { scoreV3 } from './scores.ts';
import * as v from './values.ts';

const MOST_SCORES = 50;
const ITEM_GROUPS = ['core', 'dataset', 'io', 'metadata', 'itemMetadata', 'experimentMetadata', 'scores'] as const;

const experiment = z.strictObject({
  ...v.fields(v.anyText, 'id', 'name'),
  ...v.fields(v.nullableText, 'description', 'datasetId'),
  ...v.fields(v.time, 'startTime', 'endTime'),
  itemCount: z.int().min(0),
  metadata: v.textsByName.optional(),
  scores: z.array(scoreV3).optional(),
});

const experimentItem = z.strictObject({
  ...v.fields(v.anyText, 'id', 'traceId', 'environment', 'experimentId', 'experimentName', 'experimentItemId'),
  startTime: v.time,
  endTime: v.time.nullable(),
  level: z.enum(v.LEVELS),
  ...v.fields(v.nullishText, 'experimentDatasetId', 'experimentItemVersion', 'experimentDescription'),
  /** Always texts: other values are written as JSON. */
  ...v.fields(v.nullishText, 'input', 'output', 'expectedOutput'),
  ...v.fields(v.textsByName.optional(), 'metadata', 'experimentItemMetadata', 'experimentMetadata'),
  scores: z.array(scoreV3).optional(),
});

/** What both lists can be narrowed to. */
const query = {
  ...v.cursorQuery(),
  scoreLimit: v.wholeNumberText(1, MOST_SCORES).default(MOST_SCORES),
  fromStartTime: v.sentTime,
  toStartTime: v.sentTime.optional(),
  datasetId: v.listText.optional(),
  filter: v.optionalText,
};

export const experimentsApi = {
  listExperiments: endpoint('GET', '/api/public/experiments', {
    generation: 4,
    query: z.object({
      ...query,
      fields: v.fieldGroups(['core', 'metadata', 'scores']).optional(),
      ...v.fields(v.listText.optional(), 'id', 'name'),
    }),
    answer: v.cursorPageOf(experiment),
  }),
  listExperimentItems: endpoint('GET', '/api/public/experiment-items', {
    generation: 4,
    query: z.object({
      ...query,
      fields: v.fieldGroups(ITEM_GROUPS).optional(),
      ...v.fields(v.listText.optional(), 'experimentId', 'experimentName', 'experimentItemId'),
    }),
    answer: v.cursorPageOf(experimentItem),
  }),
};
