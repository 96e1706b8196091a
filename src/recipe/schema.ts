import { z } from 'zod';

import type { PairedKind } from '../data/item.ts';
import { PAIR_UNITS } from '../pair/criterion.ts';
import { normaliserName } from '../prepare/step.ts';
import { FEWEST_GROUPS_ABOVE, USUAL_GROUPS_ABOVE } from '../stats/in-groups.ts';
import { INTERVAL_METHODS } from '../stats/interval.ts';
import { MOST_RESAMPLES, USUAL_RESAMPLES } from '../stats/resample-settings.ts';
import { auditSection } from './audit-section.ts';
import { consultSection } from './consult-section.ts';
import { PLAIN_MEASURES } from './lay-over.ts';
import { reviewSection } from './review-section.ts';
import { scoresSection } from './scores-section.ts';
import { streamSection } from './stream-section.ts';

const unknownPolicy = z.enum(['error', 'keep']);
const bySide = z.union([
  unknownPolicy,
  z.strictObject({ gold: unknownPolicy.optional(), predicted: unknownPolicy.optional() }),
]);

/** What places are counted in, and how, if the end is a span's last character or the first has the number 1. */
const offsets = z.enum(
  ['', ' inclusive', ' one-based', ' inclusive one-based'].flatMap((how) =>
    ['utf16', 'codepoint', 'byte'].map((unit) => `${unit}${how}`),
  ),
);

const dataSection = z
  .strictObject({
    format: z.string().meta({ description: 'name of a format, or auto' }),
    offsets: z
      .union([offsets, z.strictObject({ gold: offsets.optional(), predicted: offsets.optional() })])
      .meta({ description: 'unit of places, with inclusive or one-based if ends or counting differ; also by side' }),
    columns: z
      .record(z.string(), z.string())
      .meta({ description: 'which column or field holds id, text, spans, start, end, label; gold.start for one side' }),
    fuzzyQuotes: z.number().min(0).max(1).meta({
      description:
        'least similarity of a quote without a place to the text it is aligned to; 1: exact but for spelling',
    }),
    system: z
      .string()
      .nullable()
      .meta({ description: 'whose <system>_detected_pii to score, where a document has several' }),
    unknownCase: z.enum(['error', 'spurious']).meta({ description: 'a prediction for a case that does not exist' }),
    missingGold: z
      .enum(['error', 'empty', 'leave-out'])
      .meta({ description: 'a case without a gold record, where others have one: empty gold, or in no number' }),
    missingPrediction: z.enum(['empty', 'error', 'failed']).meta({
      description: 'a case without a prediction record: an empty answer, an error, or a failed case',
    }),
    failed: z
      .enum(['leave-out', 'empty'])
      .meta({ description: 'a case that the system failed on: in no number, or an empty answer whose gold is missed' }),
    badSpan: z
      .enum(['error', 'spurious', 'align'])
      .meta({ description: 'a predicted span whose place or text is not in the document: align looks for its text' }),
    places: z
      .enum(['ignored', 'required'])
      .meta({ description: 'graph: entities have a place in the text, which is checked' }),
    mojibake: z.enum(['report', 'repair']).meta({ description: 'UTF-8 that was read as something else' }),
    labels: z.array(z.string()).meta({ description: 'labels that may occur; empty means any' }),
    unknownLabel: bySide.meta({ description: 'a label that is not listed; also by side' }),
    values: z.record(z.string(), z.array(z.string())).meta({ description: 'allowed values of fields' }),
    unknownValue: bySide.meta({ description: 'a value that is not listed; also by side' }),
    strayInside: z.enum(['begin', 'error']).meta({ description: 'CoNLL: I- without B-' }),
    tagNames: z.array(z.string()).meta({ description: 'names of tags that records have as numbers, in their order' }),
    maxRecordMiB: z.number().positive().meta({ description: 'largest record' }),
  })
  .partial();

const threshold = z.union([z.number().min(0).max(1), z.record(z.string(), z.number().min(0).max(1))]);

/** An entry that is switched off, or that stands with its usual settings (`trim:` and nothing after it). */
const offOrOn = z.union([z.literal('off'), z.literal('on'), z.boolean(), z.null()]);

const criterionShape = {
  gate: z
    .array(z.string())
    .meta({ description: 'what must be equal before anything is compared: label, or a field of the item' }),
  similarity: z.string().meta({ description: 'see the list below; a path names a custom function' }),
  threshold: threshold.meta({
    description: 'lowest similarity of a pair, and more than 0; also by gold label with default for the rest',
  }),
  tolerance: z.number().int().min(0).meta({ description: 'characters by which a boundary may be off' }),
  words: z
    .enum(['whitespace', 'unicode'])
    .meta({ description: 'how jaccard and tokens split: at white space, or into letters and digits' }),
  normalise: z.array(normaliserName).meta({ description: 'steps before texts are compared' }),
  inverse: z
    .array(z.tuple([z.string(), z.string()]))
    .meta({ description: 'pairs of relationship types that mean the same with the ends swapped' }),
  symmetric: z.array(z.string()).meta({ description: 'relationship types without a direction' }),
  ends: z
    .enum(['name', 'place', 'place-and-type'])
    .meta({ description: 'relationships: what makes their ends the same (default: name)' }),
  normaliseTypes: z
    .array(normaliserName)
    .meta({ description: 'relationships: how types are made comparable (default: lower, trim, collapse)' }),
  equivalent: z.array(z.array(z.string())).meta({ description: 'groups of types that count as the same' }),
  acceptable: z.string().nullable().meta({ description: 'gold field that lists further types that are right' }),
};
const criterion = z.strictObject(criterionShape).partial();

const pairShape = {
  ...criterionShape,
  accept: z
    .record(z.string(), z.union([criterion, offOrOn]))
    .meta({ description: 'alternatives; what one leaves out it takes from the settings around it' }),
  assign: z.enum(['greedy', 'in-order', 'optimal', 'every']).meta({
    description: 'who gets whom: best pair first, each gold item in turn, most credit in total, or all that fit',
  }),
  ties: z.enum(['given', 'content']).meta({ description: 'equal pairs: by the order of the file, or by content' }),
  partial: z
    .number()
    .min(0)
    .max(1)
    .multipleOf(0.000001)
    .meta({ description: 'what a pair with a similarity under 1 is worth' }),
  duplicates: z.enum(['count', 'excuse']).meta({
    description: 'relationships of one side that are the same in all that is compared: each counts (default), or one',
  }),
  unit: z.enum(PAIR_UNITS).meta({
    description: 'what is counted: items, tokens, characters, or whether gold is covered (cover, cover-token)',
  }),
  tokens: z
    .enum(['file', 'words'])
    .meta({ description: 'unit token: the tokens that the files give (CoNLL), where they give any, or always words' }),
  cover: z
    .strictObject({
      ignoreWords: z.array(z.string()).default([]),
      ignoreCharacters: z.string().nullable().default(null),
      needless: z
        .strictObject({ field: z.string(), values: z.array(z.string()) })
        .nullable()
        .default(null),
    })
    .meta({ description: 'unit cover and cover-token: what need not be covered, and which gold needs no mask' }),
};
const pairSettings = z.strictObject(pairShape).partial();
export type PairSection = z.infer<typeof pairSettings>;
export type CriterionSection = z.infer<typeof criterion>;

/** Settings for all kinds of items of a task, and for one kind alone. */
const pairSection = z
  .strictObject({
    ...pairShape,
    ...({
      object: pairSettings,
      span: pairSettings,
      entity: pairSettings,
      relationship: pairSettings,
      concept: pairSettings,
      class: pairSettings,
      component: pairSettings,
    } satisfies Record<PairedKind, typeof pairSettings>),
  })
  .partial();
export type KindsSection = z.infer<typeof pairSection>;

const attribute = z.strictObject({
  field: z.string().optional().meta({ description: 'field of the item (default: the name); label is its label' }),
  labels: z.array(z.string()).default([]).meta({ description: 'gold labels it applies to; none listed: all' }),
  kind: z.string().nullable().default(null).meta({ description: 'kind of item; null: all' }),
  missing: z.string().nullable().default(null).meta({
    description: 'what an absent value stands for; null: absent on one side is wrong, on both not judged',
  }),
  normalise: z.array(normaliserName).default([]).meta({ description: 'as in pair' }),
  equivalent: z.array(z.array(z.string())).default([]).meta({ description: 'groups of values that count as the same' }),
  acceptable: z.string().nullable().default(null).meta({ description: 'gold field that lists further right values' }),
});

/** How sure the numbers are: over what is resampled, how often, and between which ends. */
const intervalSection = z
  .strictObject({
    method: z.enum(INTERVAL_METHODS).default('percentile').meta({
      description: 'bootstrap: percentile or bca; studentised: from leaving out cases, as gates do',
    }),
    resamples: z
      .int()
      .min(1)
      .max(MOST_RESAMPLES)
      .default(USUAL_RESAMPLES.resamples)
      .meta({ description: 'number of resamples' }),
    level: z.number().gt(0).lt(1).default(USUAL_RESAMPLES.level).meta({ description: 'confidence level' }),
    seed: z.int().min(0).max(0xffffffff).default(USUAL_RESAMPLES.seed).meta({ description: 'seed of the draws' }),
    cluster: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'column that dependent cases share: a document, a patient' }),
    groupsAbove: z
      .int()
      .min(FEWEST_GROUPS_ABOVE)
      .nullable()
      .default(USUAL_GROUPS_ABOVE)
      .meta({ description: 'with more cases than this they are drawn in groups; null: never' }),
  })
  .prefault({});

/** A stage of named rules: parameters, a shorthand, or `off`; `order` puts them in another order. */
const stage = z.record(z.string(), z.unknown());

/** The version of the recipe format: what a recipe of this number means does not change. */
export const RECIPE_VERSION = 1;

export const recipeSchema = z.strictObject({
  version: z
    .literal(RECIPE_VERSION)
    .optional()
    .meta({ description: 'version of the recipe format; a recipe without one is of version 1' }),
  // Spans are any labelled stretches of text, personal data or not; `pii` is what recipes and runs have always called them.
  task: z
    .enum(['journal', 'spans', 'pii', 'graph', 'stream', 'consult', 'scores'])
    .transform((name) => (name === 'spans' ? 'pii' : name)),
  about: z.string().default('').meta({ description: 'one line for reports' }),
  limits: z.string().optional().meta({ description: 'what the numbers do not claim; reports print it' }),
  expects: z.string().optional().meta({ description: 'files it needs, for assay presets (default: by its items)' }),
  extends: z.string().optional().meta({ description: 'preset or file that this recipe changes' }),
  modules: z
    .array(z.string())
    .optional()
    .meta({ description: 'files of custom measures, rules, similarities, formats and checks: ./custom.ts' }),
  data: dataSection.default({}),
  stream: streamSection.optional(),
  consult: consultSection.optional(),
  scores: scoresSection.optional(),
  concepts: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'what found the concepts: filled in by the program that ran it, part of the signature' }),
  prepare: stage.default({}),
  review: reviewSection.optional().meta({ description: 'the form that reviewers fill in' }),
  pair: pairSection.default({}),
  schemes: z
    .record(z.string(), z.union([pairSection, offOrOn]))
    .default({})
    .meta({ description: 'further pairings, scored next to it; each changes settings of pair' }),
  attributes: z
    .record(z.string(), z.union([attribute, offOrOn]))
    .default({})
    .meta({
      description: 'properties of a hit that are right or wrong; each that is added has a measure NAME_accuracy',
    }),
  judge: stage.default({}),
  measure: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default(PLAIN_MEASURES),
  primary: z
    .array(z.string())
    .min(1)
    .optional()
    .meta({ description: 'measures that a comparison tests (default: all)' }),
  spread: z.boolean().optional().meta({ description: 'print mean, deviation and ends over cases beside each value' }),
  slice: z.array(z.string()).default(['label']).meta({
    description: 'label, annotator, columns of the cases, metadata.FIELD; * for every column that groups cases',
  }),
  zeroDivision: z
    .union([z.literal('undefined'), z.number().min(0).max(1)])
    .default('undefined')
    .meta({ description: 'what 0/0 is' }),
  interval: z.union([offOrOn, intervalSection]).default('on'),
  audit: auditSection.optional().meta({ description: 'findings of the audit that may stand, each with its reason' }),
});

/** A recipe that was read: which version it was written in is no part of what it means. */
export type Recipe = Omit<z.infer<typeof recipeSchema>, 'version'>;

export type IntervalSection = z.infer<typeof intervalSection>;
/** Intervals with nothing said of them. */
export const PLAIN_INTERVAL: IntervalSection = intervalSection.parse({});

/** An attribute with nothing said of it. */
export const PLAIN_ATTRIBUTE: z.infer<typeof attribute> = attribute.parse({});
