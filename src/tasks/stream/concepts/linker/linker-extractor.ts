import { hash } from 'node:crypto';

import { UsageError } from '../../../../data/problems.ts';
import { sortedJson } from '../../../../data/sorted-json.ts';
import { compareText } from '../../../../text/compare.ts';
import type { ConceptExtractor, ExtractorIdentity } from '../extractor.ts';
import { comparedText } from './compared-text.ts';
import { judge, type Linking, type LinkOptions, type LinkSettings, prepareLinking } from './link-text.ts';
import type { LinkerIndex } from './linker-index.ts';
import { loadIndex } from './load-index.ts';
import { mentions, mentionSurfaces } from './mentions.ts';

/** Changes when the same index and settings give other concepts. */
const LINKER_VERSION = '1';
/** Mentions whose concepts are kept; a trace of 3,000 words has about 5,000 different ones. */
const MOST_KEPT = 200_000;

export interface LinkerOptions extends Omit<LinkOptions, 'showFrom'> {
  /** An index file, or an index that is in memory. */
  readonly index: string | LinkerIndex;
  /** `sha256:…` of the stoplists, for the signature; without it, what is in them is hashed. */
  readonly stoplistHash?: string | null;
}

/** The linker behind the port that every extractor fulfils, and what a stoplist of surfaces is made of. */
export interface LinkerExtractor extends ConceptExtractor {
  /** The different surfaces of the text's mentions, those on a stoplist included. */
  surfaces(text: string): readonly string[];
}

/** Opens an index and links texts by it. Mentions that come again, as in windows of one trace, are not looked up again. */
export async function linkerExtractor(options: LinkerOptions): Promise<LinkerExtractor> {
  const linking = prepareLinking(options);
  const { settings, stopSurfaces } = linking;
  refuseSettings(settings);
  const index = typeof options.index === 'string' ? await loadIndex(options.index) : options.index;
  const known = new Map<string, readonly string[]>();
  /** Of the concepts that were found. */
  const names = new Map<string, string>();

  const conceptsOf = (text: string): readonly string[] => {
    const key = comparedText(text);
    const before = known.get(key);
    if (before !== undefined) return before;
    const judged = judge(index, text, settings.threshold, linking);
    const kept = judged.filter(({ dropped }) => dropped === null);
    for (const { id, name } of kept) names.set(id, name);
    const ids = kept.map(({ id }) => id);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, ids);
    return ids;
  };

  return {
    identity: identityOf(index, linking, options.stoplistHash ?? null),
    extract: async (text) => {
      const found = new Set<string>();
      for (const { surface, text: lookedUp } of mentions(text, { index, ...settings }))
        if (!stopSurfaces.has(comparedText(surface))) for (const id of conceptsOf(lookedUp)) found.add(id);
      return [...found].sort(compareText);
    },
    nameOf: (id) => names.get(id) ?? null,
    surfaces: (text) => mentionSurfaces(text, { index, ...settings }),
  };
}

function identityOf(index: LinkerIndex, linking: Linking, stoplistHash: string | null): ExtractorIdentity {
  const { knowledgeBase, minDf } = index;
  const { settings, stopConcepts, stopSurfaces } = linking;
  const stops = [[...stopConcepts].sort(compareText), [...stopSurfaces].sort(compareText)];
  return {
    name: 'linker',
    version: LINKER_VERSION,
    settings: { ...settings, minDf, language: knowledgeBase.language, suppressed: knowledgeBase.suppressed },
    knowledgeBase: knowledgeBase.sha256,
    stoplist:
      stoplistHash ??
      (stopConcepts.size + stopSurfaces.size > 0 ? `sha256:${hash('sha256', sortedJson(stops))}` : null),
  };
}

function refuseSettings(settings: LinkSettings): void {
  for (const name of ['threshold', 'noDefinitionThreshold'] as const) {
    const value = settings[name];
    if (value !== null && !(value > 0 && value <= 1))
      throw new UsageError(`the linker's ${name} is ${value}`, 'expected a number above 0, at most 1');
  }
  for (const name of ['maxK', 'minEntityLength', 'maxWords', 'nearest'] as const)
    if (!Number.isSafeInteger(settings[name]) || settings[name] < 1)
      throw new UsageError(`the linker's ${name} is ${settings[name]}`, 'expected a whole number from 1 on');
}
