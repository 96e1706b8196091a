import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { compareText, defined, UsageError } from '../../plugin.ts';
import { endpointExtractor } from './concept-endpoint.ts';
import { extractorKind, type ExtractorSettings } from './extractor-settings.ts';
import type { ConceptExtractor } from './extractor.ts';
import { buildIndex } from './linker/build-index.ts';
import { linkerExtractor } from './linker/linker-extractor.ts';
import type { LinkerIndex } from './linker/linker-index.ts';
import { openKnowledgeBase } from './linker/read-kb.ts';
import { recordedExtractor } from './recorded.ts';
import { scispacyExtractor } from './scispacy.ts';
import { DEFAULT_PICKS, type PickSettings } from './scored-mentions.ts';
import { readStopFiles, type StopFiles, stopFilesIn, type Stoplist } from './stoplist-files.ts';

/** A folder of stoplists in place of those that settings name; the word `off`: none, whatever they name. */
export type StoplistChoice = string;

/**
 * The extractor that settings describe. `folder` is where their relative paths start from. Stoplists are those that the
 * settings name, unless others are chosen; without either there are none.
 */
export async function configuredExtractor(
  settings: ExtractorSettings,
  folder: string,
  options: { readonly stoplists?: StoplistChoice | undefined } = {},
): Promise<ConceptExtractor> {
  const files = await stopFiles(settings, folder, options.stoplists);
  const stoplist = files === null ? null : await readStopFiles(files);
  switch (extractorKind(settings)) {
    case 'vocabulary': {
      const linker = await linkerExtractor({ index: await vocabularyIndex(), ...linkerPicks(settings), stoplist });
      // Results name it, so that they are not taken for those of UMLS.
      return { ...linker, identity: { ...linker.identity, name: 'vocabulary' } };
    }
    case 'linker': {
      const index =
        settings.index === undefined
          ? await indexInMemory([resolve(folder, settings.kb ?? '')])
          : resolve(folder, settings.index);
      return linkerExtractor({ index, ...linkerPicks(settings), stoplist });
    }
    case 'scispacy':
      return scispacyOf(settings, stoplist);
    case 'recorded':
      return recordedExtractor(resolve(folder, settings.file ?? ''), stoplist);
  }
}

/** Whether settings name stoplists, which is what making stoplists must not be based on. */
export function namesStoplists(settings: ExtractorSettings): boolean {
  return (settings.stoplists ?? settings.stop_cuis_file ?? settings.stop_entities_file) != null;
}

/** The files of the stoplists that settings name, or that are chosen in their place; null: none. */
export async function stopFiles(
  settings: ExtractorSettings,
  folder: string,
  chosen: StoplistChoice | undefined,
): Promise<StopFiles | null> {
  if (chosen === 'off') return null;
  if (chosen !== undefined) return stopFilesIn(chosen);
  if (settings.stoplists !== undefined) return stopFilesIn(resolve(folder, settings.stoplists));
  if (!namesStoplists(settings)) return null;
  return {
    concepts: placeOf(settings.stop_cuis_file ?? null, 'stop_cuis_file', folder),
    surfaces: placeOf(settings.stop_entities_file ?? null, 'stop_entities_file', folder),
  };
}

/** The original writes these paths from the folder above that of the settings; both are looked in. */
function placeOf(file: string | null, key: string, folder: string): string | null {
  if (file === null) return null;
  const places = [resolve(folder, file), resolve(dirname(resolve(folder)), file)];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new UsageError(
    `${key}: ${file} is neither in the folder of the settings nor in the one above`,
    'make it with assay stream stoplist, choose others with --stoplists DIR, or take the line out',
  );
}

function picksOf(settings: ExtractorSettings): PickSettings {
  return {
    threshold: settings.cui_score_threshold ?? DEFAULT_PICKS.threshold,
    maxK: settings.max_k ?? DEFAULT_PICKS.maxK,
    minEntityLength: settings.min_entity_len ?? DEFAULT_PICKS.minEntityLength,
  };
}

/** Our linker has one threshold and one limit, scispaCy has two of each: the stricter ones apply. */
function linkerPicks(settings: ExtractorSettings): PickSettings {
  const picks = picksOf(settings);
  return {
    ...picks,
    threshold: Math.max(picks.threshold, settings.linker_threshold ?? 0),
    maxK: Math.min(picks.maxK, settings.linker_max_entities_per_mention ?? Infinity),
  };
}

async function scispacyOf(settings: ExtractorSettings, stoplist: Stoplist | null): Promise<ConceptExtractor> {
  const { url, command, linker_kb_version: kbVersion = null } = settings;
  const options = { ...picksOf(settings), stoplist, kbVersion, ...defined({ answerSeconds: settings.answer_seconds }) };
  if (url !== undefined) return endpointExtractor({ url, ...options });
  return scispacyExtractor({
    ...options,
    ...defined({
      model: settings.scispacy_model,
      linker: settings.linker_name,
      resolveAbbreviations: settings.linker_resolve_abbreviations,
      linkerThreshold: settings.linker_threshold,
      linkerMaxEntities: settings.linker_max_entities_per_mention,
      startSeconds: settings.start_seconds,
      frozen: settings.extractor_hash,
      ...(typeof command === 'string' ? { python: command } : { command }),
    }),
  });
}

const FOLDER = fileURLToPath(new URL('vocabulary/', import.meta.url));

/** The files of the open vocabulary that ships, in text order; vocabulary/README.md describes it. */
export function vocabularyFiles(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl'))
    .sort(compareText)
    .map((name) => join(FOLDER, name));
}

/** The index of a knowledge base that is small enough to be indexed again each time. */
async function indexInMemory(paths: readonly string[]): Promise<LinkerIndex> {
  const base = await openKnowledgeBase(paths);
  return buildIndex(base.concepts(), { facts: () => base.facts() });
}

let shipped: Promise<LinkerIndex> | null = null;

/** Built once in a program, in a fraction of a second. */
function vocabularyIndex(): Promise<LinkerIndex> {
  shipped ??= indexInMemory(vocabularyFiles());
  return shipped;
}
