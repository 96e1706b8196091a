import { z } from 'zod';

import { describe } from '../../../data/record-fields.ts';

/** What an extractor.yaml may say. The keys of the original evaluation are all understood; the rest is ours. */

export const EXTRACTORS = ['vocabulary', 'linker', 'scispacy', 'recorded'] as const;
export type ExtractorKind = (typeof EXTRACTORS)[number];

const share = z.number().refine((value) => value > 0 && value <= 1, expecting('a number above 0, at most 1'));
const path = z.string().refine((value) => value.trim() !== '', expecting('a path'));
const count = z.int().refine((value) => value >= 1, expecting('a whole number from 1 on'));

function expecting(what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => `expected ${what}, found ${describe(input)}` };
}

export const extractorSettings = z
  .strictObject({
    extractor: z.enum(EXTRACTORS).meta({ description: 'what finds concepts; usual: vocabulary' }),
    index: path.meta({ description: 'linker: an index that assay stream index made' }),
    kb: path.meta({ description: 'linker: a knowledge base as it is (scispaCy JSONL, UMLS RRF folder)' }),
    command: z
      .union([path, z.array(path).min(1)])
      .meta({ description: 'scispacy: the Python that has it, or a program that speaks the same protocol' }),
    url: path.meta({ description: 'scispacy: a server that answers POST {"text"}' }),
    file: path.meta({ description: 'recorded: the file of recorded concept sets' }),
    stoplists: path.meta({ description: 'folder with stop_cuis.txt and stop_entities.txt' }),
    stop_cuis_file: path.nullable().meta({ description: 'one list by itself' }),
    stop_entities_file: path.nullable().meta({ description: 'one list by itself' }),
    cui_score_threshold: share.meta({ description: 'a candidate needs at least this score (0.7)' }),
    max_k: count.meta({ description: 'concepts a mention has at most, before the stoplist (10)' }),
    min_entity_len: count.meta({ description: 'shorter mentions do not count (3)' }),
    entity_types_kept: z.array(z.literal('ALL')).meta({ description: 'ALL: mentions are not filtered by type' }),
    cui_normalization: z.literal('uppercase'),
    scispacy_model: z.string().min(1).meta({ description: 'scispacy: en_core_sci_sm' }),
    linker_name: z.string().min(1).meta({ description: 'scispacy: umls' }),
    linker_resolve_abbreviations: z.boolean().meta({ description: 'scispacy: true' }),
    linker_max_entities_per_mention: count.meta({ description: 'what the linker itself gives at most (10)' }),
    linker_threshold: share.meta({ description: "the linker's own threshold (0.7)" }),
    linker_kb_version: z.string().meta({ description: 'the release of the knowledge base, for the signature' }),
    extractor_hash: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .meta({ description: 'scispacy: refuses any other program, requirements or versions of packages' }),
    start_seconds: z.number().positive().meta({ description: 'scispacy: how long it may take to load (900)' }),
    answer_seconds: z.number().positive().meta({ description: 'scispacy: how long a text may take (300)' }),
  })
  .partial();
export type ExtractorSettings = z.infer<typeof extractorSettings>;

/** How stoplists are made; in the original's file beside the extractor's settings. */
export const stoplistGeneration = z
  .strictObject({
    df_threshold: share.meta({ description: 'share of traces from which on a concept is stopped (0.9)' }),
    stop_entities_output: z.string(),
    stop_cuis_output: z.string(),
    df_report_output: z.string(),
  })
  .partial();
export type StoplistGeneration = z.infer<typeof stoplistGeneration>;

export const extractorFile = z.strictObject({
  concept_extractor: extractorSettings,
  stoplist_generation: stoplistGeneration.optional(),
});
