import { z } from 'zod';

import type { Direction } from '../measure/measure.ts';

/** A name as a column header, a key in JSON and a part of a path can carry it. */
const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'a name of letters, digits, _ and -, letter first');

/** Which way is better for the measures that the form gives. */
const better = z.enum(['higher', 'lower']).optional();

/** A thing to choose, tick or rate: what it is called, and a sentence that explains it. */
const described = z.union([
  z.string().transform((title): { title: string; help: string; better?: Direction } => ({ title, help: '' })),
  z.strictObject({
    title: z.string(),
    help: z.string().default(''),
    better: better.meta({ description: 'of an option or a label: whether more of it is better' }),
  }),
]);
export type Described = z.infer<typeof described>;

const shared = {
  title: z.string().meta({ description: 'what the reviewer is asked' }),
  help: z.string().default(''),
  section: z.string().default('').meta({ description: 'heading under which it stands' }),
  by: z.array(name).default([]).meta({ description: 'groups of people who answer it; none means everybody' }),
  of: z
    .enum(['case', 'answer'])
    .default('answer')
    .meta({ description: 'asked once for a case, without any answer in sight, or for each answer' }),
  languages: z.array(z.string()).default([]).meta({ description: 'only for answers in these; none means all' }),
  optional: z.boolean().default(false).meta({ description: 'an item is done without it' }),
  target: z.number().optional().meta({ description: 'wanted agreement: reported as met or not, never enforced' }),
  adjudicate: z.boolean().optional().meta({ description: 'whether differing answers go to the adjudicator' }),
};

const scale = z.strictObject({
  type: z.literal('scale'),
  ...shared,
  better: better.meta({ description: 'which way is better (default: higher)' }),
  from: z.int().default(1),
  to: z.int().default(5),
  anchors: z.record(z.string(), z.string()).default({}).meta({ description: 'what each point means, by point' }),
  dimensions: z
    .record(name, described)
    .default({})
    .meta({ description: 'rated one by one on this scale; none means a single rating' }),
});

const choice = z.strictObject({
  type: z.literal('choice'),
  ...shared,
  options: z.record(z.string(), described).meta({ description: 'value: how it is shown' }),
});

const checklist = z.strictObject({
  type: z.literal('checklist'),
  ...shared,
  items: z.record(name, described),
  notApplicable: z.array(name).default([]).meta({ description: 'items that may not apply' }),
});

const text = z.strictObject({
  type: z.literal('text'),
  ...shared,
  optional: z.boolean().default(true),
});

/**
 * What an answer makes of the gold annotations. `keep` and `add`: the thing is gold, as found or corrected; `add` is what a
 * reviewer's own additions get. `drop`: it is not. `relabel`, `resize`: it is gold once its label or its place is corrected.
 */
const itemLabel = z.union([
  described.options[0],
  described.options[1].extend({
    gold: z
      .enum(['keep', 'add', 'drop', 'relabel', 'resize'])
      .optional()
      .meta({ description: 'what it makes of the gold annotations (review export --gold)' }),
  }),
]);

/** Things that are labelled one by one: claims of an answer, spans, objects, entities. */
const items = z.strictObject({
  type: z.literal('items'),
  ...shared,
  from: z
    .enum(['sentences', 'predicted'])
    .meta({ description: 'sentences of the text under review, or what the system found' }),
  labels: z.record(z.string(), itemLabel).meta({ description: 'value: how it is shown, in the order of their keys' }),
  allow: z
    .array(z.enum(['edit', 'split', 'merge', 'add', 'remove', 'relabel', 'resize']))
    .default([])
    .meta({ description: 'what a reviewer may do with them beside labelling' }),
  kinds: z
    .array(z.string().min(1))
    .optional()
    .meta({ description: 'relabel: labels of the data to choose from (default: those of the files)' }),
  otherKinds: z.boolean().optional().meta({ description: 'relabel: whether a reviewer may type another label' }),
  passages: z
    .int()
    .min(0)
    .max(20)
    .default(0)
    .meta({ description: 'how many passages of the retrieved text stand beside each' }),
});

export const reviewField = z.discriminatedUnion('type', [scale, choice, checklist, text, items]);
export type ReviewField = z.infer<typeof reviewField>;
export type ScaleField = z.infer<typeof scale>;
export type ChoiceField = z.infer<typeof choice>;
export type ChecklistField = z.infer<typeof checklist>;
export type TextField = z.infer<typeof text>;
export type ItemsField = z.infer<typeof items>;

/** What of an item a reviewer sees, in this order. */
const shown = z.strictObject({
  field: z.string().meta({ description: 'text, response, retrieved_context, or a column of the case or the answer' }),
  title: z.string(),
  of: z.enum(['case', 'answer', 'both']).default('both'),
});

/** The form that people fill in, and who sees what: declared once, for the app, the sheets and the measures. */
export const reviewSection = z.strictObject({
  title: z.string().default('Review'),
  guidance: z.string().default('').meta({ description: 'shown above every item' }),
  people: z
    .record(name, z.strictObject({ title: z.string(), raters: z.int().min(1) }))
    .default({})
    .meta({ description: 'groups of people, and how many rate each item' }),
  show: z.array(shown).min(1),
  under: z
    .string()
    .default('response')
    .meta({ description: 'which of the shown texts is under review: claims and spans are places in it' }),
  fields: z.record(name, reviewField),
  reveal: z
    .array(z.enum(['system', 'automatic', 'judge', 'others']))
    .default([])
    .meta({ description: 'shown after an item is committed, which is then final' }),
});
export type ReviewSection = z.infer<typeof reviewSection>;
