import { codePointLength, compareText } from '../../plugin.ts';
import { conceptIds, MOST_CONCEPTS, TOO_MANY } from './concept-ids.ts';
import type { ExplainedMention, ExplainingExtractor, ExtractorIdentity } from './extractor.ts';
import { selectConcepts } from './linker/candidates.ts';
import { comparedText } from './linker/tokens.ts';
import type { Stoplist } from './stoplist-files.ts';

/** A mention with the candidates that an outside linker gave it. */
export interface ScoredMention {
  readonly surface: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly candidates: readonly { readonly id: string; readonly score: number }[];
}

export interface PickSettings {
  /** A candidate needs at least this score. */
  readonly threshold: number;
  /** How many concepts a mention has at most, before the stoplist. */
  readonly maxK: number;
  /** Shorter mentions, in characters, do not count. */
  readonly minEntityLength: number;
}

export const DEFAULT_PICKS: PickSettings = { threshold: 0.7, maxK: 10, minEntityLength: 3 };

/**
 * What becomes of mentions and candidates, in the original's order: too short and stopped surfaces, threshold, best
 * first (equal scores by id), the first maxK, and only then the stoplist of concepts.
 */
function pickConcepts(
  mentions: readonly ScoredMention[],
  settings: PickSettings,
  stoplist: Stoplist | null,
): ExplainedMention[] {
  const stopped = new Set([...(stoplist?.surfaces ?? [])].map(comparedText));
  return mentions.map(({ surface, start, end, candidates }): ExplainedMention => {
    const dropped =
      codePointLength(surface.trim()) < settings.minEntityLength
        ? 'too short'
        : stopped.has(comparedText(surface))
          ? 'stoplist'
          : null;
    const choices = dropped === null ? candidates : [];
    const judged = selectConcepts(
      choices.map(({ id, score }) => ({ id: id.toUpperCase(), name: null, alias: null, score, hasDefinition: true })),
      { ...settings, noDefinitionThreshold: null, stopConcepts: stoplist?.concepts ?? new Set() },
    ).map(({ hasDefinition: _, ...candidate }) => candidate);
    return { surface, lookedUp: null, start, end, dropped, candidates: judged };
  });
}

/** What a process or a server is to an extractor that decides itself which of its candidates count. */
interface MentionSource {
  readonly identity: ExtractorIdentity;
  readonly mentionsOf: (text: string) => Promise<readonly ScoredMention[]>;
  readonly picks: PickSettings;
  readonly stoplist: Stoplist | null;
  readonly badAnswer: (problem: string) => Error;
}

export function mentionExtractor(source: MentionSource): ExplainingExtractor {
  const { identity, picks, stoplist, badAnswer } = source;
  const mentionsOf = rememberingLast(source.mentionsOf);
  const explain = async (text: string): Promise<ExplainedMention[]> =>
    pickConcepts(await mentionsOf(text), picks, stoplist);
  return {
    identity,
    explain,
    extract: async (text) => {
      const taken = (await explain(text)).flatMap(({ candidates }) =>
        candidates.filter(({ dropped }) => dropped === null),
      );
      const ids = conceptIds(taken.map(({ id }) => id));
      if (ids.length > MOST_CONCEPTS) throw badAnswer(`${TOO_MANY}: ${ids.length}`);
      return ids;
    },
    surfaces: async (text) => {
      // As the original counts them: lower case, long enough, otherwise as they are in the text.
      const surfaces = (await mentionsOf(text)).map(({ surface }) => surface.trim().toLowerCase());
      const long = surfaces.filter((surface) => codePointLength(surface) >= picks.minEntityLength);
      return [...new Set(long)].sort(compareText);
    },
  };
}

/** Concepts and surfaces of a text are asked for one after the other: the last answer serves both. */
function rememberingLast<T>(ask: (text: string) => Promise<T>): (text: string) => Promise<T> {
  let last: { readonly text: string; readonly answer: Promise<T> } | null = null;
  return (text) => {
    if (last?.text === text) return last.answer;
    const asked = { text, answer: ask(text) };
    last = asked;
    // What failed is asked again.
    asked.answer.catch(() => {
      if (last === asked) last = null;
    });
    return asked.answer;
  };
}

/** The picks, for the identity of an extractor. */
export function pickFields(picks: PickSettings): Record<string, number> {
  return { threshold: picks.threshold, max_k: picks.maxK, min_entity_length: picks.minEntityLength };
}
