import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';
import { RELATION_MATCHES } from '../pair/relation.ts';

const kind = z.string().nullable().default(null);
const require = z.array(z.string()).default([]);
const match = z.array(z.enum(RELATION_MATCHES)).default([]);

/** The forms a measure can take in a recipe: `name: { of: form, … }`. */
export const measureParams = z.discriminatedUnion('of', [
  z.strictObject({
    of: z.literal('precision'),
    kind,
    require,
    match,
    countExcused: z.boolean().default(false),
    excusedBy: z.array(z.string()).default([]),
  }),
  z.strictObject({ of: z.literal('recall'), kind, require, match }),
  z.strictObject({ of: z.literal('f1'), kind, require, match, beta: z.number().positive().default(1) }),
  z.strictObject({ of: z.literal('accuracy'), kind, attributes: z.array(z.string()).min(1) }),
  z.strictObject({ of: z.literal('evidence-coverage'), kind }),
  z.strictObject({ of: z.literal('over-extraction'), kind }),
  z.strictObject({
    of: z.literal('count'),
    kind,
    verdict: z.enum(VERDICTS),
    rules: z.array(z.string()).default([]),
    exceptRules: z.array(z.string()).default([]),
    credit: z.enum(['any', 'full', 'part']).default('any'),
    direction: z.enum(['higher', 'lower']).optional(),
  }),
  z.strictObject({
    of: z.literal('entity-recall'),
    group: z.string().default('entity_id'),
    field: z.string().nullable().default(null),
    values: z.array(z.string()).default([]),
  }),
  z.strictObject({ of: z.literal('macro'), measure: z.string() }),
  z.strictObject({ of: z.literal('mean'), measures: z.array(z.string()).min(1) }),
]);
export type MeasureParams = z.infer<typeof measureParams>;

export const MEASURE_FORMS: readonly string[] = measureParams.options.map((option) => option.shape.of.value);
