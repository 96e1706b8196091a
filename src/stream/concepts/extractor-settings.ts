import { dirname } from 'node:path';

import { z } from 'zod';

import { describe, InputError, isRecord, readText } from '../../plugin.ts';
import { checkPlain, parseYaml, schemaProblems } from '../../recipe.ts';

/** The settings of an extractor.yaml. The keys of the original evaluation are all understood; the rest is ours. */

const EXTRACTORS = ['vocabulary', 'linker', 'scispacy', 'recorded'] as const;
type ExtractorKind = (typeof EXTRACTORS)[number];

const share = z.number().refine((value) => value > 0 && value <= 1, expecting('a number above 0, at most 1'));
const filePath = z.string().refine((value) => value.trim() !== '', expecting('a path'));
const count = z.int().refine((value) => value >= 1, expecting('a whole number from 1 on'));

function expecting(what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => `expected ${what}, found ${describe(input)}` };
}

export const extractorSettings = z
  .strictObject({
    extractor: z.enum(EXTRACTORS).meta({ description: 'what finds concepts (vocabulary)' }),
    index: filePath.meta({ description: 'linker: an index made by assay stream index' }),
    kb: filePath.meta({ description: 'linker: a knowledge base without an index (scispaCy JSONL, UMLS RRF folder)' }),
    command: z
      .union([filePath, z.array(filePath).min(1)])
      .meta({ description: 'scispacy: the Python that has it, or a program that speaks the same protocol' }),
    url: filePath.meta({ description: 'scispacy: a server that answers POST {"text"}' }),
    file: filePath.meta({ description: 'recorded: the file of recorded concept sets' }),
    stoplists: filePath.meta({ description: 'folder with stop_cuis.txt and stop_entities.txt' }),
    stop_cuis_file: filePath.nullable().meta({ description: 'one list by itself' }),
    stop_entities_file: filePath.nullable().meta({ description: 'one list by itself' }),
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
  .partial()
  .superRefine((settings, context) => {
    for (const [key, message] of misfits(settings)) context.addIssue({ code: 'custom', path: [key], message });
  });
export type ExtractorSettings = z.infer<typeof extractorSettings>;

/** The keys that mean something to one extractor only. */
const KEYS_OF: Readonly<Partial<Record<ExtractorKind, readonly (keyof ExtractorSettings)[]>>> = {
  linker: ['index', 'kb'],
  scispacy: ['command', 'url', 'extractor_hash', 'start_seconds'],
  recorded: ['file'],
};

/** Which extractor is meant: the one that is named, else scispaCy if its model is, else the vocabulary. */
export function extractorKind(settings: ExtractorSettings): ExtractorKind {
  return settings.extractor ?? (settings.scispacy_model === undefined ? 'vocabulary' : 'scispacy');
}

/** Settings that are valid by themselves and do not go together. */
function* misfits(settings: ExtractorSettings): Generator<readonly [key: keyof ExtractorSettings, message: string]> {
  const kind = extractorKind(settings);
  const isSet = (key: keyof ExtractorSettings): boolean => settings[key] !== undefined;
  for (const owner of EXTRACTORS)
    for (const key of owner === kind ? [] : (KEYS_OF[owner] ?? []).filter(isSet))
      yield [key, `it belongs to extractor: ${owner}, and this is ${kind}; write extractor: ${owner}`];
  if (kind === 'linker' && !isSet('index') && !isSet('kb')) yield ['extractor', 'extractor: linker needs index or kb'];
  if (kind === 'recorded' && !isSet('file')) yield ['extractor', 'extractor: recorded needs file'];
  if (isSet('index') && isSet('kb')) yield ['kb', 'index and kb are set; keep one of them'];
  if (isSet('command') && isSet('url')) yield ['url', 'command and url are set; keep one of them'];
  if (isSet('extractor_hash') && isSet('url'))
    yield ['extractor_hash', 'a server does not show its program; remove the line, or run scispaCy as a process'];
  if (isSet('stoplists') && (settings.stop_cuis_file ?? settings.stop_entities_file) != null)
    yield ['stoplists', 'a folder and single files are set; keep one of the two'];
}

/** How stoplists are made; in the original's file beside the extractor's settings. */
const stoplistGeneration = z
  .strictObject({
    df_threshold: share.meta({ description: 'share of traces from which on a concept is stopped (0.9)' }),
    stop_entities_output: z.string(),
    stop_cuis_output: z.string(),
    df_report_output: z.string(),
  })
  .partial();

const extractorFile = z.strictObject({
  concept_extractor: extractorSettings,
  stoplist_generation: stoplistGeneration.optional(),
});

interface ExtractorFile {
  readonly settings: ExtractorSettings;
  readonly stoplistGeneration: z.infer<typeof stoplistGeneration> | null;
  readonly folder: string;
}

const MOST_BYTES = 1 << 20;
const EXAMPLE = 'for example concept_extractor: { extractor: vocabulary, cui_score_threshold: 0.7 }';

/** Reads an extractor.yaml. Everything that is wrong with it is reported at once, with its line. */
export async function readExtractorSettings(file: string): Promise<ExtractorFile> {
  const { text } = await readText(file, MOST_BYTES);
  return parseExtractorSettings(text, file);
}

/** The settings may be under concept_extractor, as the original has them, or by themselves. */
export function parseExtractorSettings(text: string, file: string): ExtractorFile {
  const { value, lineOf } = parseYaml(text, file, 'a file of extractor settings');
  checkPlain(value);
  if (!isRecord(value))
    throw new InputError([
      { file, line: null, message: `expected extractor settings, found ${describe(value)}`, next: EXAMPLE },
    ]);
  const isWrapped = 'concept_extractor' in value;
  const { stoplist_generation: generation, ...settings } = value;
  const whole = isWrapped
    ? value
    : { concept_extractor: settings, ...(generation === undefined ? {} : { stoplist_generation: generation }) };
  const parsed = extractorFile.safeParse(whole);
  if (parsed.success) {
    const { concept_extractor, stoplist_generation = null } = parsed.data;
    return { settings: concept_extractor, stoplistGeneration: stoplist_generation, folder: dirname(file) };
  }
  throw new InputError(
    schemaProblems(extractorFile, whole, parsed.error, [])
      .map(({ path, message, next }) => {
        const written = isWrapped || path[0] !== 'concept_extractor' ? path : path.slice(1);
        const line = lineOf(written)?.line ?? null;
        return { file, line, field: written.join('.'), message, ...(next === null ? {} : { next }) };
      })
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  );
}
