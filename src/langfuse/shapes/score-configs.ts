import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { time } from './values.ts';

const LONGEST_NAME = 35;
const configName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .regex(/^[\p{L}\p{N}_ .()-]+$/u, 'expected letters, digits, spaces and _ . ( ) -');
const category = z.strictObject({ label: z.string().min(1), value: z.number() });
const categories = z.array(category).superRefine((list, context) => {
  for (const key of ['label', 'value'] as const)
    if (new Set(list.map((one) => one[key])).size < list.length)
      context.addIssue({ code: 'custom', message: `expected every ${key} once` });
});
/** What a kind of score has no use for. */
const none = z.null().optional();

const TRUTH = [
  { label: 'True', value: 1 },
  { label: 'False', value: 0 },
] as const;
export const TRUTH_CATEGORIES: readonly { readonly label: string; readonly value: number }[] = TRUTH;

const described = { name: configName, description: z.string().nullish() };
const numeric = { dataType: z.literal('NUMERIC'), minValue: z.number().nullish(), maxValue: z.number().nullish() };

/** Which fields each type has; categories of a truth are not sent, they are always the same. */
export const scoreConfigBody = z
  .discriminatedUnion('dataType', [
    z.object({ ...described, ...numeric, categories: none }),
    z.object({ ...described, dataType: z.literal('CATEGORICAL'), categories, minValue: none, maxValue: none }),
    z.object({ ...described, dataType: z.literal('BOOLEAN'), categories: z.undefined().optional() }),
    z.object({ ...described, dataType: z.literal('TEXT'), categories: none, minValue: none, maxValue: none }),
  ])
  .superRefine((config, context) => {
    if (config.dataType !== 'NUMERIC') return;
    const { minValue, maxValue } = config;
    if (typeof minValue === 'number' && typeof maxValue === 'number' && maxValue <= minValue)
      context.addIssue({ code: 'custom', path: ['maxValue'], message: 'expected more than minValue' });
  });

const scoreConfig = z.strictObject({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  dataType: z.enum(['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT']),
  isArchived: z.boolean(),
  minValue: z.number().nullable(),
  maxValue: z.number().nullable(),
  categories: z.array(category).nullable(),
  description: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
});

const PATH = '/api/public/score-configs';

export const listScoreConfigs = endpoint('GET', PATH, {
  query: z.object(pageQuery),
  answer: pageOf(scoreConfig),
});

export const createScoreConfig = endpoint('POST', PATH, { request: scoreConfigBody, answer: scoreConfig });

export const getScoreConfig = endpoint('GET', `${PATH}/:id`, { answer: scoreConfig });

export const updateScoreConfig = endpoint('PATCH', `${PATH}/:id`, {
  request: z
    .object({
      isArchived: z.boolean(),
      name: configName,
      minValue: z.number(),
      maxValue: z.number(),
      categories,
      description: z.string(),
    })
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'expected at least one field'),
  answer: scoreConfig,
});
