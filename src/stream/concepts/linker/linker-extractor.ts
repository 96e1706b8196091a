import { compareText, UsageError } from '../../../plugin.ts';
import type { ExplainedMention, ExplainingExtractor } from '../extractor.ts';
import { stoplistHash, type Stoplist } from '../stoplist-files.ts';
import { type AliasCandidate, candidates, type Dropped, type Selection, selectConcepts } from './candidates.ts';
import { type LinkerIndex, loadIndex } from './linker-index.ts';
import { type MentionSettings, mentions } from './mentions.ts';
import { comparedText } from './tokens.ts';

/** What decides which concepts a text has. */
interface LinkSettings extends MentionSettings, Omit<Selection, 'stopConcepts'> {
  /** How many of the closest aliases are looked at. */
  readonly nearest: number;
}

/** As the original evaluation and scispaCy have them. */
export const DEFAULT_LINKING: LinkSettings = {
  threshold: 0.7,
  maxK: 10,
  minEntityLength: 3,
  maxWords: 3,
  resolveAbbreviations: true,
  noDefinitionThreshold: 0.95,
  nearest: 30,
};

/** Changes when the same index and settings give other concepts. */
const LINKER_VERSION = '1';
/** Mentions whose concepts are kept; a trace of 3,000 words has about 5,000 different ones. */
const MOST_KEPT = 200_000;
/** Candidates from this score on are explained, also those below the threshold. */
const EXPLAINED_FROM = 0.5;

interface LinkerOptions extends Partial<LinkSettings> {
  /** An index file, or an index that is in memory. */
  readonly index: string | LinkerIndex;
  readonly stoplist?: Stoplist | null;
}

/** Opens an index and links texts by it. Mentions that come again, as in windows of one trace, are not looked up again. */
export async function linkerExtractor({
  index: place,
  stoplist = null,
  ...options
}: LinkerOptions): Promise<ExplainingExtractor> {
  const settings: LinkSettings = { ...DEFAULT_LINKING, ...options };
  refuseSettings(settings);
  const index = typeof place === 'string' ? await loadIndex(place) : place;
  const stopConcepts = new Set([...(stoplist?.concepts ?? [])].map((id) => id.toUpperCase()));
  const stopSurfaces = new Set([...(stoplist?.surfaces ?? [])].map(comparedText));
  const idsByText = new Map<string, readonly string[]>();
  const names = new Map<string, string>();

  const judge = (text: string, floor: number): (AliasCandidate & { readonly dropped: Dropped | null })[] =>
    selectConcepts(candidates(index, text, settings.nearest, floor), { ...settings, stopConcepts });
  const conceptsOf = (text: string): readonly string[] => {
    const key = comparedText(text);
    const known = idsByText.get(key);
    if (known !== undefined) return known;
    const taken = judge(text, settings.threshold).filter(({ dropped }) => dropped === null);
    for (const { id, name } of taken) names.set(id, name);
    const ids = taken.map(({ id }) => id);
    if (idsByText.size >= MOST_KEPT) idsByText.clear();
    idsByText.set(key, ids);
    return ids;
  };

  const { language, suppressed, sha256 } = index.knowledgeBase;
  return {
    identity: {
      name: 'linker',
      version: LINKER_VERSION,
      settings: { ...settings, minDf: index.minDf, language, suppressed },
      knowledgeBase: sha256,
      stoplist: stoplistHash(stoplist),
    },
    extract: async (text) => {
      const ids = new Set<string>();
      for (const { surface, text: searched } of mentions(text, index, settings))
        if (!stopSurfaces.has(comparedText(surface))) for (const id of conceptsOf(searched)) ids.add(id);
      return [...ids].sort(compareText);
    },
    nameOf: (id) => names.get(id) ?? null,
    explain: async (text) =>
      mentions(text, index, settings).map(({ surface, text: searched, start, end }): ExplainedMention => {
        const isStopped = stopSurfaces.has(comparedText(surface));
        const judged = isStopped ? [] : judge(searched, Math.min(EXPLAINED_FROM, settings.threshold));
        return {
          surface,
          lookedUp: searched === surface || isStopped ? null : searched,
          start,
          end,
          dropped: isStopped ? 'stoplist' : null,
          candidates: judged.map(({ id, name, alias, score, dropped }) => ({ id, name, alias, score, dropped })),
        };
      }),
    surfaces: async (text) => {
      const surfaces = mentions(text, index, settings).map(({ surface }) => comparedText(surface));
      return [...new Set(surfaces)].sort(compareText);
    },
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
