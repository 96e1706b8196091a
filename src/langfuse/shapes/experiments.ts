import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { scoreV3 } from './scores.ts';
import * as values from './values.ts';

const { fieldGroups, fields, givenTime, listText, nullableText, nullishText, optionalText, text, textsByName, time } =
  values;

const MOST_SCORES = 50;
const ITEM_GROUPS = ['core', 'dataset', 'io', 'metadata', 'itemMetadata', 'experimentMetadata', 'scores'] as const;

const experiment = z.strictObject({
  ...fields(text, 'id', 'name'),
  ...fields(nullableText, 'description', 'datasetId'),
  ...fields(time, 'startTime', 'endTime'),
  itemCount: z.int().min(0),
  metadata: textsByName.optional(),
  scores: z.array(scoreV3).optional(),
});

const experimentItem = z.strictObject({
  ...fields(text, 'id', 'traceId', 'environment', 'experimentId', 'experimentName', 'experimentItemId'),
  startTime: time,
  endTime: time.nullable(),
  level: z.enum(values.LEVELS),
  ...fields(nullishText, 'experimentDatasetId', 'experimentItemVersion', 'experimentDescription'),
  /** Always texts: other values are written as JSON. */
  ...fields(nullishText, 'input', 'output', 'expectedOutput'),
  /** Texts under names with dots. */
  ...fields(textsByName.optional(), 'metadata', 'experimentItemMetadata', 'experimentMetadata'),
  scores: z.array(scoreV3).optional(),
});

/** What both lists can be narrowed to. */
const query = {
  ...cursorQuery(),
  scoreLimit: values.wholeNumberText(1, MOST_SCORES).default(MOST_SCORES),
  fromStartTime: givenTime,
  toStartTime: givenTime.optional(),
  datasetId: listText.optional(),
  filter: optionalText,
};

export const listExperiments = endpoint('GET', '/api/public/experiments', {
  generation: 4,
  query: z.object({
    ...query,
    fields: fieldGroups(['core', 'metadata', 'scores']).optional(),
    ...fields(listText.optional(), 'id', 'name'),
  }),
  answer: cursorPageOf(experiment),
});

export const listExperimentItems = endpoint('GET', '/api/public/experiment-items', {
  generation: 4,
  query: z.object({
    ...query,
    fields: fieldGroups(ITEM_GROUPS).optional(),
    ...fields(listText.optional(), 'experimentId', 'experimentName', 'experimentItemId'),
  }),
  answer: cursorPageOf(experimentItem),
});
