import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { cursorMeta, cursorQuery } from './paging.ts';
import { scoreV3 } from './scores-v3.ts';
import { fieldGroups, givenTime, listText, textsByName, time, wholeNumberText } from './values.ts';

const MOST_SCORES = 50;

export const scoreLimit = wholeNumberText(1, MOST_SCORES).default(MOST_SCORES);

const experiment = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  startTime: time,
  endTime: time,
  itemCount: z.int().min(0),
  datasetId: z.string().nullable(),
  metadata: textsByName.optional(),
  scores: z.array(scoreV3).optional(),
});

const listQuery = z.object({
  ...cursorQuery(),
  fields: fieldGroups(['core', 'metadata', 'scores']).optional(),
  scoreLimit,
  fromStartTime: givenTime,
  toStartTime: givenTime.optional(),
  id: listText.optional(),
  name: listText.optional(),
  datasetId: listText.optional(),
  filter: z.string().optional(),
});

export const listExperiments = endpoint('GET', '/api/public/experiments', {
  generation: 4,
  query: listQuery,
  answer: z.strictObject({ data: z.array(experiment), meta: cursorMeta }),
});
