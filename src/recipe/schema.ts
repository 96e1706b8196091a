import { z } from 'zod';

import { ITEM_KINDS } from '../data/item.ts';
import { normalisers } from '../text/normalise.ts';

const normaliser = z.enum(Object.keys(normalisers) as [keyof typeof normalisers, ...(keyof typeof normalisers)[]]);
const unknownPolicy = z.enum(['error', 'keep']);
const bySide = z.union([
  unknownPolicy,
  z.strictObject({ gold: unknownPolicy.optional(), predicted: unknownPolicy.optional() }),
]);

const dataSection = z
  .strictObject({
    format: z.string().meta({ description: 'name of a format, or auto' }),
    offsets: z.enum(['utf16', 'codepoint', 'byte']),
    columns: z
      .record(z.string(), z.string())
      .meta({ description: 'CSV: which column holds id, text, start, end, label, annotator' }),
    system: z
      .string()
      .nullable()
      .meta({ description: 'whose <system>_detected_pii to score, where a document has several' }),
    unknownCase: z.enum(['error', 'spurious']),
    missingPrediction: z.enum(['empty', 'error']),
    badSpan: z.enum(['error', 'spurious']),
    mojibake: z.enum(['report', 'repair']),
    labels: z.array(z.string()).meta({ description: 'labels that may occur; empty means any' }),
    unknownLabel: bySide,
    values: z.record(z.string(), z.array(z.string())).meta({ description: 'allowed values of fields' }),
    unknownValue: bySide,
    strayInside: z.enum(['begin', 'error']),
    maxRecordMiB: z.number().positive(),
  })
  .partial();

const threshold = z.union([z.number().min(0).max(1), z.record(z.string(), z.number().min(0).max(1))]);

const criterionShape = {
  gate: z.array(z.string()),
  similarity: z.string(),
  threshold,
  tolerance: z.number().int().min(0),
  words: z.enum(['whitespace', 'unicode']),
  normalise: z.array(normaliser),
  inverse: z.array(z.tuple([z.string(), z.string()])),
  symmetric: z.array(z.string()),
  equivalent: z.array(z.array(z.string())),
};
const criterion = z.strictObject(criterionShape).partial();

const pairShape = {
  ...criterionShape,
  /** Alternatives, each a criterion of its own; what one leaves out it takes from the settings around it. */
  accept: z.record(z.string(), z.union([criterion, z.literal('off'), z.literal(false), z.null()])),
  assign: z.enum(['greedy', 'in-order', 'optimal', 'every']),
  ties: z.enum(['given', 'content']),
  partial: z.number().min(0).max(1),
  unit: z.enum(['item', 'token', 'character']),
};
const pairSettings = z.strictObject(pairShape).partial();
export type PairSection = z.infer<typeof pairSettings>;
export type CriterionSection = z.infer<typeof criterion>;

const pairSection = z
  .strictObject({
    ...pairShape,
    ...(Object.fromEntries(ITEM_KINDS.map((kind) => [kind, pairSettings])) as Record<
      (typeof ITEM_KINDS)[number],
      typeof pairSettings
    >),
  })
  .partial();

const attribute = z.strictObject({
  field: z.string().optional(),
  labels: z.array(z.string()).default([]),
  kind: z.string().nullable().default(null),
  missing: z.string().nullable().default(null),
  normalise: z.array(normaliser).default([]),
  equivalent: z.array(z.array(z.string())).default([]),
  acceptable: z.string().nullable().default(null),
});

const off = z.union([z.literal('off'), z.literal(false), z.null()]);

/** A stage of named rules: parameters, a shorthand, or `off`; `order` puts them in another order. */
const stage = z.record(z.string(), z.unknown());

export const recipeSchema = z.strictObject({
  task: z.enum(['journal', 'pii', 'graph']),
  about: z.string().default(''),
  extends: z.string().optional(),
  data: dataSection.default({}),
  prepare: stage.default({}),
  pair: pairSection.default({}),
  schemes: z.record(z.string(), z.union([pairSettings, off])).default({}),
  attributes: z.record(z.string(), z.union([attribute, off])).default({}),
  judge: stage.default({}),
  measure: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default(['precision', 'recall', 'f1']),
  slice: z.array(z.string()).default(['label']),
  zeroDivision: z.union([z.literal('undefined'), z.number().min(0).max(1)]).default('undefined'),
});

export type Recipe = z.infer<typeof recipeSchema>;
