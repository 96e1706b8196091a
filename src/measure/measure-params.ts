import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';
import { RELATION_MATCHES } from '../pair/relation.ts';
import type { Bound } from './measure.ts';

/** Words that change no number. */
const words = {
  about: z.string().optional().describe('a few words for reports'),
  unit: z.string().optional().describe('what it is measured in: ms, CTU'),
  symbol: z.string().optional().describe('short form that reports show after the name, such as M1'),
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

/** A form of measure: what it is called, its formula and when it is undefined, what is set for it, and words. */
function form<const Name extends string, Shape extends z.core.$ZodShape>(of: Name, about: string, shape: Shape) {
  return z.strictObject({ of: z.literal(of).describe(about), ...shape, ...words });
}

const direction = z.enum(['higher', 'lower']).describe('which way is better');

/** A bound on a number: one of the two, or both. */
const bound = { atLeast: z.number().optional(), atMost: z.number().optional() };
const BOUNDED = [
  ({ atLeast, atMost }: Bound) => (atLeast ?? atMost) !== undefined,
  'say atLeast, atMost, or both',
] as const;

const kind = z.string().nullable().default(null).describe('one kind of item; null: all');
const verdict = z.enum(VERDICTS).describe('verdict to count');

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
  require: z.array(z.string()).default([]).describe('attributes that must not be wrong for a hit to count'),
  match: z.array(z.enum(RELATION_MATCHES)).default([]).describe('kinds of match that count; none listed: all'),
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
  form('precision', 'credit of hits / (hits + spurious); undefined if nothing was predicted', {
    ...hits,
    countExcused: z.boolean().default(false).describe('excused predictions count below the line'),
    excusedBy: z.array(z.string()).default([]).describe('only those excused by these rules'),
    rightBy: z.array(z.string()).min(1).optional().describe('rules whose verdicts count as right, instead of hits'),
  }),
  form('recall', 'credit of hits / (hits + missed); undefined if no gold counts', {
    ...hits,
    within: within.optional(),
  }),
  form('f1', '(1 + b²) P R / (b² P + R), 0 without a hit; undefined if neither gold nor a prediction counts', {
    ...hits,
    beta: z.number().positive().default(1).describe('weight of recall'),
  }),
  form('accuracy', 'hits with all attributes right / hits to which one of them applies; undefined without such a hit', {
    kind,
    attributes: z.array(z.string()).min(1).describe('attributes that have to be right'),
  }),
  form(
    'evidence-coverage',
    'predictions whose quote is in the text / predictions whose quote was looked up; undefined if none was',
    { kind },
  ),
  form('over-extraction', 'predicted items / gold items, excused ones included; undefined without gold', {
    kind,
    requireByLabel: hits.requireByLabel,
  }),
  form('count', 'number of verdicts; never undefined', {
    kind,
    verdict,
    rules: z.array(z.string()).default([]).describe('only verdicts of these rules'),
    exceptRules: z.array(z.string()).default([]).describe('not verdicts of these rules'),
    credit: z.enum(['any', 'full', 'part']).default('any').describe('hits with this credit'),
    direction: direction.optional(),
  }),
  form(
    'entity-recall',
    'entities of which every mention was hit / entities; undefined if no gold that counts names its entity',
    {
      group: z.string().default('entity_id').describe('field that names the entity'),
      field: z.string().nullable().default(null).describe('only entities with one of values in this field'),
      values: z.array(z.string()).default([]),
      decides: z.enum(['each', 'first']).optional().describe('which mention decides for the entity'),
      needless: z
        .strictObject({ field: z.string(), values: z.array(z.string()) })
        .optional()
        .describe('mentions that need not be hit'),
    },
  ),
  form('verdict-share', 'verdicts of one sort / verdicts among these; undefined if there are none', {
    kind,
    verdict,
    among: z
      .array(verdict)
      .min(1)
      .default([...VERDICTS]),
    direction: direction.optional(),
  }).refine(({ verdict: own, among }) => among.includes(own), 'among must name the verdict itself'),
  // Forms that count predicted items, or look at numbers which they carry in their fields.
  form('item-count', 'number of predicted items; never undefined', {
    ...items,
    field: z.string().optional(),
    values: z.array(z.string()).min(1).optional().describe('only items whose field has one of these'),
    direction,
  })
    .refine(...ONE_OF_KINDS)
    .refine(({ field, values }) => (field === undefined) === (values === undefined), 'field and values go together'),
  form('field-mean', 'sum of a field / items that have it; undefined if none has it', {
    ...items,
    field: z.string(),
    direction,
    range,
  }).refine(...ONE_OF_KINDS),
  form(
    'field-total',
    'sum of one or several fields, 0 without items; undefined if a kind has items and none has the field',
    { ...items, ...numbers, direction, range },
  )
    .refine(...ONE_OF_KINDS)
    .refine(...ONE_OF_FIELDS),
  form('field-share', 'items at or beyond a bound / items that have the field; undefined if none has it', {
    ...items,
    field: z.string(),
    ...bound,
    direction,
  })
    .refine(...ONE_OF_KINDS)
    .refine(...BOUNDED),
  form('field-percentile', 'percentile within a case, then the mean over cases; undefined if no item has the field', {
    ...items,
    field: z.string(),
    p: z.number().min(0).max(100),
    pooled: z.boolean().optional().describe('of the numbers of all cases together, not the mean of those of the cases'),
    direction,
    range,
  }).refine(...ONE_OF_KINDS),
  form('ratio', 'sum / (sum / scale), or 1 minus it; undefined if the lower sum is 0', {
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
  form('macro', 'mean of a measure over labels; undefined if it is undefined for every label', { measure: z.string() }),
  form('mean', 'mean of several measures; undefined if one of them is', {
    measures: z.array(z.string()).min(1),
    harmonic: z.boolean().optional().describe('harmonic mean'),
  }),
  form('case-share', 'cases whose value is at or beyond a bound / cases that have one; undefined if none has one', {
    measure,
    ...bound,
    direction,
  }).refine(...BOUNDED),
  form('case-mean', 'mean over cases of a measure; undefined if it is undefined for every case', { measure }),
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
