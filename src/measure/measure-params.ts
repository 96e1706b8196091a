import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';
import { RELATION_MATCHES } from '../pair/relation.ts';
import { A_BOUND, bound, direction, hasBound, itemForms, words } from './item-params.ts';

const kind = z.string().nullable().default(null);
const require = z.array(z.string()).default([]);
const match = z.array(z.enum(RELATION_MATCHES)).default([]);
const requireByLabel = z
  .array(z.string())
  .optional()
  .meta({ description: 'by label, a hit with one of these attributes wrong is missed here and spurious there' });
const verdict = z.enum(VERDICTS);

const within = z
  .strictObject({ field: z.string(), ...bound })
  .refine(hasBound, A_BOUND)
  .meta({ description: 'hits whose number is beyond the bound count as missed' });

/** Forms that are made of verdicts, not of other measures. */
const plainForms = [
  z.strictObject({
    of: z.literal('precision'),
    kind,
    require,
    match,
    requireByLabel,
    countExcused: z.boolean().default(false),
    excusedBy: z.array(z.string()).default([]),
    rightBy: z.array(z.string()).min(1).optional(),
    ...words,
  }),
  z.strictObject({
    of: z.literal('recall'),
    kind,
    require,
    match,
    requireByLabel,
    within: within.optional(),
    ...words,
  }),
  z.strictObject({
    of: z.literal('f1'),
    kind,
    require,
    match,
    requireByLabel,
    beta: z.number().positive().default(1),
    ...words,
  }),
  z.strictObject({ of: z.literal('accuracy'), kind, attributes: z.array(z.string()).min(1), ...words }),
  z.strictObject({ of: z.literal('evidence-coverage'), kind, ...words }),
  z.strictObject({ of: z.literal('over-extraction'), kind, requireByLabel, ...words }),
  z.strictObject({
    of: z.literal('count'),
    kind,
    verdict,
    rules: z.array(z.string()).default([]),
    exceptRules: z.array(z.string()).default([]),
    credit: z.enum(['any', 'full', 'part']).default('any'),
    direction: direction.optional(),
    ...words,
  }),
  z.strictObject({
    of: z.literal('entity-recall'),
    group: z.string().default('entity_id'),
    field: z.string().nullable().default(null),
    values: z.array(z.string()).default([]),
    decides: z.enum(['each', 'first']).optional(),
    needless: z.strictObject({ field: z.string(), values: z.array(z.string()) }).optional(),
    ...words,
  }),
  z
    .strictObject({
      of: z.literal('verdict-share'),
      kind,
      verdict,
      among: z
        .array(verdict)
        .min(1)
        .default([...VERDICTS]),
      direction: direction.optional(),
      ...words,
    })
    .refine(({ verdict: own, among }) => among.includes(own), 'among must name the verdict itself'),
  ...itemForms,
] as const;

const plainParams = z.discriminatedUnion('of', plainForms);

/** The forms a measure can take in a recipe: `name: { of: form, … }`. */
export const measureParams = z.discriminatedUnion('of', [
  ...plainForms,
  z.strictObject({ of: z.literal('macro'), measure: z.string(), ...words }),
  z.strictObject({
    of: z.literal('mean'),
    measures: z.array(z.string()).min(1),
    harmonic: z.boolean().optional(),
    ...words,
  }),
  z
    .strictObject({
      of: z.literal('case-share'),
      measure: z.union([z.string(), plainParams]).meta({ description: 'the name of a measure, or one written here' }),
      ...bound,
      direction,
      ...words,
    })
    .refine(hasBound, A_BOUND),
  z.strictObject({
    of: z.literal('case-mean'),
    measure: z.union([z.string(), plainParams]).meta({ description: 'the name of a measure, or one written here' }),
    ...words,
  }),
]);
export type MeasureParams = z.infer<typeof measureParams>;

export const MEASURE_FORMS: readonly string[] = measureParams.options.map((option) => option.shape.of.value);
