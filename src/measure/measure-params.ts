import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';
import { RELATION_MATCHES } from '../pair/relation.ts';
import type { Bound } from './measure.ts';

/** Words that change no number. */
const words = {
  about: z.string().optional(),
  unit: z.string().optional().describe('what it is measured in: ms, CTU'),
  heading: z.string().optional().describe('the heading under which reports list it'),
  nothing: z.string().optional().describe('what to say where there is nothing to measure'),
  best: z.number().optional().describe('the best value, where it is at neither end of the range'),
  by: z
    .union([z.literal('none'), z.strictObject({ slice: z.string(), labels: z.array(z.string()).default([]) })])
    .optional()
    .describe(
      'what its values by label are called as slices, and which labels there are (none listed: those that occur); none: no such values',
    ),
};

/** A form of measure: what it is called, what is set for it, and words. */
function form<const Name extends string, Shape extends z.core.$ZodShape>(of: Name, shape: Shape) {
  return z.strictObject({ of: z.literal(of), ...shape, ...words });
}

const direction = z.enum(['higher', 'lower']).describe('which way is better');

/** A bound on a number: one of the two, or both. */
const bound = { atLeast: z.number().optional(), atMost: z.number().optional() };
const BOUNDED = [
  ({ atLeast, atMost }: Bound) => (atLeast ?? atMost) !== undefined,
  'say atLeast, atMost, or both',
] as const;

/** One kind of item; null means all. */
const kind = z.string().nullable().default(null);
const verdict = z.enum(VERDICTS);

/** Which predicted items are looked at. */
const items = {
  kind,
  kinds: z.array(z.string()).min(1).optional().describe('several kinds, instead of kind'),
  verdict: verdict.optional(),
  where: z
    .record(z.string(), z.array(z.string()).min(1))
    .optional()
    .describe('only items whose fields have one of these values, by field'),
};
const ONE_OF_KINDS = [
  (scope: { kind: string | null; kinds?: unknown }) => scope.kind === null || scope.kinds === undefined,
  'say kind or kinds, not both',
] as const;

/** Which of their numbers: one, or several that are added up. */
const numbers = { field: z.string().optional(), fields: z.array(z.string()).min(1).optional() };
const ONE_OF_FIELDS = [
  ({ field, fields }: { field?: unknown; fields?: unknown }) => (field === undefined) !== (fields === undefined),
  'say field, or fields whose numbers are added up',
] as const;

const range = z
  .tuple([z.number().nullable(), z.number().nullable()])
  .default([null, null])
  .describe('lowest and highest value there can be; null: no such end');

const sum = z
  .strictObject({ ...items, ...numbers })
  .refine(...ONE_OF_KINDS)
  .refine(...ONE_OF_FIELDS);

/** Which verdicts are looked at, and which hits count as one. */
const hits = {
  kind,
  /** Attributes that must not be wrong. */
  require: z.array(z.string()).default([]),
  /** Kinds of match; none means all. */
  match: z.array(z.enum(RELATION_MATCHES)).default([]),
  /** Attributes again, for the row of its label: an entity's type is that label. */
  requireByLabel: z
    .array(z.string())
    .optional()
    .describe('by label, a hit with one of these attributes wrong is missed here and spurious there'),
};

const within = z
  .strictObject({ field: z.string(), ...bound })
  .refine(...BOUNDED)
  .describe('hits whose number is beyond the bound count as missed');

/** Forms that are made of verdicts, not of other measures. */
const plainForms = [
  form('precision', {
    ...hits,
    countExcused: z.boolean().default(false),
    excusedBy: z.array(z.string()).default([]),
    rightBy: z.array(z.string()).min(1).optional(),
  }),
  form('recall', { ...hits, within: within.optional() }),
  form('f1', { ...hits, beta: z.number().positive().default(1) }),
  form('accuracy', { kind, attributes: z.array(z.string()).min(1) }),
  form('evidence-coverage', { kind }),
  form('over-extraction', { kind, requireByLabel: hits.requireByLabel }),
  form('count', {
    kind,
    verdict,
    rules: z.array(z.string()).default([]),
    exceptRules: z.array(z.string()).default([]),
    credit: z.enum(['any', 'full', 'part']).default('any'),
    direction: direction.optional(),
  }),
  form('entity-recall', {
    group: z.string().default('entity_id'),
    field: z.string().nullable().default(null),
    values: z.array(z.string()).default([]),
    decides: z.enum(['each', 'first']).optional(),
    needless: z.strictObject({ field: z.string(), values: z.array(z.string()) }).optional(),
  }),
  form('verdict-share', {
    kind,
    verdict,
    among: z
      .array(verdict)
      .min(1)
      .default([...VERDICTS]),
    direction: direction.optional(),
  }).refine(({ verdict: own, among }) => among.includes(own), 'among must name the verdict itself'),
  // Forms that count predicted items, or look at numbers which they carry in their fields.
  form('item-count', {
    ...items,
    field: z.string().optional(),
    values: z.array(z.string()).min(1).optional().describe('only items whose field has one of these'),
    direction,
  })
    .refine(...ONE_OF_KINDS)
    .refine(({ field, values }) => (field === undefined) === (values === undefined), 'field and values go together'),
  form('field-mean', { ...items, field: z.string(), direction, range }).refine(...ONE_OF_KINDS),
  form('field-total', { ...items, ...numbers, direction, range })
    .refine(...ONE_OF_KINDS)
    .refine(...ONE_OF_FIELDS),
  form('field-share', { ...items, field: z.string(), ...bound, direction })
    .refine(...ONE_OF_KINDS)
    .refine(...BOUNDED),
  form('field-percentile', {
    ...items,
    field: z.string(),
    p: z.number().min(0).max(100),
    pooled: z.boolean().optional().describe('of the numbers of all cases together, not the mean of those of the cases'),
    direction,
    range,
  }).refine(...ONE_OF_KINDS),
  form('ratio', {
    over: sum,
    under: sum,
    scale: z.number().positive().default(1).describe('how many of what is below the line make one'),
    complement: z.boolean().default(false).describe('1 minus the ratio'),
    direction,
    range,
  }),
] as const;

const measure = z
  .union([z.string(), z.discriminatedUnion('of', plainForms)])
  .describe('the name of a measure, or one written here');

/** The forms a measure can take in a recipe: `name: { of: form, … }`. */
export const measureParams = z.discriminatedUnion('of', [
  ...plainForms,
  form('macro', { measure: z.string() }),
  form('mean', { measures: z.array(z.string()).min(1), harmonic: z.boolean().optional() }),
  form('case-share', { measure, ...bound, direction }).refine(...BOUNDED),
  form('case-mean', { measure }),
]);
export type MeasureParams = z.infer<typeof measureParams>;
/** What is set for one form. */
export type FormParams<Of extends MeasureParams['of']> = Extract<MeasureParams, { readonly of: Of }>;

export const MEASURE_FORMS: readonly string[] = measureParams.options.map((option) => option.shape.of.value);

/** The form of a measure from user code: its settings, and words. */
export function customForm(of: string, shape: z.core.$ZodShape) {
  return z.strictObject({ ...shape, of: z.literal(of), ...words });
}
export type CustomParams = z.infer<ReturnType<typeof customForm>>;

export function isBuiltIn(params: MeasureParams | CustomParams): params is MeasureParams {
  return MEASURE_FORMS.includes(params.of);
}
