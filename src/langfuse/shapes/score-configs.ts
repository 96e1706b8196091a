import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import * as v from './values.ts';

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
const BOUNDS = ['minValue', 'maxValue'] as const;
const noBounds = v.fields(none, ...BOUNDS);

export const TRUTH_CATEGORIES: readonly Readonly<z.output<typeof category>>[] = [
  { label: 'True', value: 1 },
  { label: 'False', value: 0 },
];

const described = { name: configName, description: z.string().nullish() };

/** Which fields each type has; categories of a truth are not sent, they are always the same. */
export const scoreConfigBody = z
  .discriminatedUnion('dataType', [
    z.object({
      ...described,
      dataType: z.literal('NUMERIC'),
      ...v.fields(z.number().nullish(), ...BOUNDS),
      categories: none,
    }),
    z.object({ ...described, dataType: z.literal('CATEGORICAL'), categories, ...noBounds }),
    z.object({ ...described, dataType: z.literal('BOOLEAN'), categories: z.undefined().optional() }),
    z.object({ ...described, dataType: z.literal('TEXT'), categories: none, ...noBounds }),
  ])
  .superRefine((config, context) => {
    if (config.dataType !== 'NUMERIC') return;
    const { minValue, maxValue } = config;
    if (typeof minValue === 'number' && typeof maxValue === 'number' && maxValue <= minValue)
      context.addIssue({ code: 'custom', path: ['maxValue'], message: 'expected more than minValue' });
  });

const scoreConfig = z.strictObject({
  ...v.fields(v.anyText, 'id', 'projectId', 'name'),
  dataType: z.enum(['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT']),
  isArchived: z.boolean(),
  ...v.fields(z.number().nullable(), 'minValue', 'maxValue'),
  categories: z.array(category).nullable(),
  description: v.nullableText,
  ...v.fields(v.time, 'createdAt', 'updatedAt'),
});

const PATH = '/api/public/score-configs';

export const scoreConfigsApi = {
  listScoreConfigs: endpoint('GET', PATH, {
    query: z.object(v.pageQuery),
    answer: v.pageOf(scoreConfig),
  }),
  createScoreConfig: endpoint('POST', PATH, { request: scoreConfigBody, answer: scoreConfig }),
  getScoreConfig: endpoint('GET', `${PATH}/:id`, { answer: scoreConfig }),
  updateScoreConfig: endpoint('PATCH', `${PATH}/:id`, {
    request: z
      .object({
        isArchived: z.boolean(),
        name: configName,
        ...v.fields(z.number(), ...BOUNDS),
        categories,
        description: z.string(),
      })
      .partial()
      .refine((body) => Object.keys(body).length > 0, 'expected at least one field'),
    answer: scoreConfig,
  }),
};
