import { compareText } from '../../../../text/compare.ts';
import { type Candidate, candidates, NEAREST } from './candidates.ts';
import { comparedText } from './compared-text.ts';
import type { LinkerIndex } from './linker-index.ts';
import { type Mention, mentions, USUAL_MENTIONS } from './mentions.ts';
import { type Judged, selectConcepts } from './select-concepts.ts';

/** What decides which concepts a text has. */
export interface LinkSettings {
  /** A candidate needs at least this score. */
  readonly threshold: number;
  /** How many concepts a mention has at most, before the stoplist. */
  readonly maxK: number;
  /** Shorter mentions, in characters, are not looked up. */
  readonly minEntityLength: number;
  /** How many words a name may have that is not an alias letter by letter. */
  readonly maxWords: number;
  /** Whether an abbreviation that the text explains is looked up by its long form. */
  readonly resolveAbbreviations: boolean;
  /** What a concept without a definition needs; null where that makes no difference. */
  readonly noDefinitionThreshold: number | null;
  /** How many of the nearest aliases are looked at. */
  readonly nearest: number;
}

/** As the original evaluation and scispaCy have them. */
export const USUAL_LINKING: LinkSettings = {
  ...USUAL_MENTIONS,
  threshold: 0.7,
  maxK: 10,
  noDefinitionThreshold: 0.95,
  nearest: NEAREST,
};

export interface LinkOptions extends Partial<LinkSettings> {
  /** Ids of concepts, in any case. */
  readonly stopConcepts?: ReadonlySet<string>;
  /** Surfaces of mentions, in any case. */
  readonly stopSurfaces?: ReadonlySet<string>;
  /** Candidates from this score on are shown, also those below the threshold. */
  readonly showFrom?: number;
}

export interface LinkedMention extends Mention {
  /** True for a surface on the stoplist: it is not looked up. */
  readonly isStopped: boolean;
  /** The best first, each with what dropped it. */
  readonly candidates: readonly Judged[];
}

export interface LinkedText {
  readonly mentions: readonly LinkedMention[];
  /** The ids of the concepts, each once, in text order. */
  readonly concepts: readonly string[];
}

const SHOWN_FROM = 0.5;

/** The concepts of a text with all that led to them, for a person who wants to know why. */
export function linkText(index: LinkerIndex, text: string, options: LinkOptions = {}): LinkedText {
  const linking = prepareLinking(options);
  const { settings, stopSurfaces } = linking;
  const floor = Math.min(options.showFrom ?? SHOWN_FROM, settings.threshold);
  const linked = mentions(text, { index, ...settings }).map((mention): LinkedMention => {
    const isStopped = stopSurfaces.has(comparedText(mention.surface));
    return { ...mention, isStopped, candidates: isStopped ? [] : judge(index, mention.text, floor, linking) };
  });
  const taken = linked.flatMap((mention) => mention.candidates.filter(({ dropped }) => dropped === null));
  return { mentions: linked, concepts: distinctIds(taken) };
}

/** Settings with what is left out filled in, and stoplists in the case they are compared in. */
export interface Linking {
  readonly settings: LinkSettings;
  readonly stopConcepts: ReadonlySet<string>;
  readonly stopSurfaces: ReadonlySet<string>;
}

export function prepareLinking(options: LinkOptions): Linking {
  return {
    settings: settingsOf(options),
    stopConcepts: new Set([...(options.stopConcepts ?? [])].map((id) => id.toUpperCase())),
    stopSurfaces: new Set([...(options.stopSurfaces ?? [])].map(comparedText)),
  };
}

/** Only what is a setting, whatever else the options have. */
function settingsOf(options: LinkOptions): LinkSettings {
  const usual = USUAL_LINKING;
  return {
    threshold: options.threshold ?? usual.threshold,
    maxK: options.maxK ?? usual.maxK,
    minEntityLength: options.minEntityLength ?? usual.minEntityLength,
    maxWords: options.maxWords ?? usual.maxWords,
    resolveAbbreviations: options.resolveAbbreviations ?? usual.resolveAbbreviations,
    noDefinitionThreshold:
      options.noDefinitionThreshold === undefined ? usual.noDefinitionThreshold : options.noDefinitionThreshold,
    nearest: options.nearest ?? usual.nearest,
  };
}

/** The candidates of what is looked up, judged. Those below the floor are not looked at. */
export function judge(index: LinkerIndex, text: string, floor: number, linking: Linking): Judged[] {
  const { settings, stopConcepts } = linking;
  return selectConcepts(candidates(index, text, { k: settings.nearest, floor }), { ...settings, stopConcepts });
}

export function distinctIds(found: readonly Pick<Candidate, 'id'>[]): string[] {
  return [...new Set(found.map(({ id }) => id))].sort(compareText);
}
