import { codePointLength } from '../../../text/characters.ts';
import { compareText } from '../../../text/compare.ts';
import { conceptIds } from './concept-ids.ts';
import type { ExplainedMention } from './extractor.ts';
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

/**
 * What becomes of mentions and candidates, in the original's order: too short and stopped surfaces, threshold, best
 * first (equal scores by id), the first maxK, and only then the stoplist of concepts.
 */
export function pickConcepts(
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

export function pickedIds(mentions: readonly ExplainedMention[]): readonly string[] {
  return conceptIds(
    mentions.flatMap(({ candidates }) => candidates.filter(({ dropped }) => dropped === null).map(({ id }) => id)),
  );
}

/** As the original counts them: lower case, long enough, otherwise as they are in the text. */
export function surfacesOf(mentions: readonly ScoredMention[], minEntityLength: number): readonly string[] {
  const surfaces = mentions
    .map(({ surface }) => surface.trim().toLowerCase())
    .filter((surface) => codePointLength(surface) >= minEntityLength);
  return [...new Set(surfaces)].sort(compareText);
}
