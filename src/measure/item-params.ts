import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';

/** Words that change no number. */
export const words = {
  about: z.string().optional(),
  unit: z.string().optional().meta({ description: 'what it is measured in: ms, CTU' }),
  nothing: z.string().optional().meta({ description: 'what to say where there is nothing to measure' }),
  best: z.number().optional().meta({ description: 'the best value, where it is at neither end of the range' }),
  by: z
    .union([z.literal('none'), z.strictObject({ slice: z.string(), labels: z.array(z.string()).default([]) })])
    .optional()
    .meta({
      description:
        'what its values by label are called as slices, and which labels there are (none listed: those that occur); none: no such values',
    }),
};

export const direction = z.enum(['higher', 'lower']).meta({ description: 'which way is better' });

/** A bound on a number: one of the two, or both. */
export const bound = { atLeast: z.number().optional(), atMost: z.number().optional() };
export const A_BOUND = 'say atLeast, atMost, or both';
export const hasBound = ({ atLeast, atMost }: { atLeast?: number | undefined; atMost?: number | undefined }): boolean =>
  atLeast !== undefined || atMost !== undefined;

/** Whether exactly one of two settings is there. */
export function oneOf(a: string, b: string): (given: Readonly<Record<string, unknown>>) => boolean {
  return (given) => (given[a] === undefined) !== (given[b] === undefined);
}

/** Which predicted items are looked at. */
const items = {
  kind: z.string().nullable().default(null),
  kinds: z.array(z.string()).min(1).optional().meta({ description: 'several kinds, instead of kind' }),
  verdict: z.enum(VERDICTS).optional(),
  where: z
    .record(z.string(), z.array(z.string()).min(1))
    .optional()
    .meta({ description: 'only items whose fields have one of these values, by field' }),
};
const NOT_BOTH = 'say kind or kinds, not both';
const isOfKinds = ({ kind, kinds }: { kind: string | null; kinds?: string[] | undefined }): boolean =>
  kind === null || kinds === undefined;

/** Which of their numbers: one, or several that are added up. */
const numbers = { field: z.string().optional(), fields: z.array(z.string()).min(1).optional() };
const SAY_FIELD = 'say field, or fields whose numbers are added up';

const range = z
  .tuple([z.number().nullable(), z.number().nullable()])
  .default([null, null])
  .meta({ description: 'lowest and highest value there can be; null: no such end' });

const sum = z
  .strictObject({ ...items, ...numbers })
  .refine(isOfKinds, NOT_BOTH)
  .refine(oneOf('field', 'fields'), SAY_FIELD);

/** Forms that count predicted items, or look at numbers which they carry in their fields. */
export const itemForms = [
  z
    .strictObject({
      of: z.literal('item-count'),
      ...items,
      field: z.string().optional(),
      values: z.array(z.string()).min(1).optional().meta({ description: 'only items whose field has one of these' }),
      direction,
      ...words,
    })
    .refine(isOfKinds, NOT_BOTH)
    .refine(({ field, values }) => (field === undefined) === (values === undefined), 'field and values go together'),
  z
    .strictObject({ of: z.literal('field-mean'), ...items, field: z.string(), direction, range, ...words })
    .refine(isOfKinds, NOT_BOTH),
  z
    .strictObject({ of: z.literal('field-total'), ...items, ...numbers, direction, range, ...words })
    .refine(isOfKinds, NOT_BOTH)
    .refine(oneOf('field', 'fields'), SAY_FIELD),
  z
    .strictObject({ of: z.literal('field-share'), ...items, field: z.string(), ...bound, direction, ...words })
    .refine(isOfKinds, NOT_BOTH)
    .refine(hasBound, A_BOUND),
  z
    .strictObject({
      of: z.literal('field-percentile'),
      ...items,
      field: z.string(),
      p: z.number().min(0).max(100),
      direction,
      range,
      ...words,
    })
    .refine(isOfKinds, NOT_BOTH),
  z.strictObject({
    of: z.literal('ratio'),
    over: sum,
    under: sum,
    scale: z.number().positive().default(1).meta({ description: 'how many of what is below the line make one' }),
    complement: z.boolean().default(false).meta({ description: '1 minus the ratio' }),
    direction,
    range,
    ...words,
  }),
] as const;
