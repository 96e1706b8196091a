import { compareText } from '../../../../text/compare.ts';
import type { Candidate } from './candidates.ts';

/** Why a candidate is not among the concepts of a mention. */
export type Dropped = 'no definition' | 'below threshold' | 'not among the best' | 'stoplist';

export interface Judged extends Candidate {
  /** Null for those that are taken. */
  readonly dropped: Dropped | null;
}

export interface Selection {
  /** A candidate needs at least this score. */
  readonly threshold: number;
  /** How many are taken, before the stoplist. */
  readonly maxK: number;
  /** What a concept without a definition needs; null where that makes no difference. */
  readonly noDefinitionThreshold: number | null;
  /** Ids in upper case. */
  readonly stopConcepts: ReadonlySet<string>;
}

/**
 * Which candidates of a mention are its concepts, in exactly this order: what a concept without a definition needs, the
 * threshold, the best first (equal scores by id), the first maxK, and only then the stoplist: a stopped concept that is
 * among the best keeps its place, and no other comes in for it.
 */
export function selectConcepts(candidates: readonly Candidate[], selection: Selection): Judged[] {
  const { threshold, maxK, noDefinitionThreshold, stopConcepts } = selection;
  let taken = 0;
  return candidates
    .toSorted((a, b) => b.score - a.score || compareText(a.id, b.id))
    .map((candidate): Judged => {
      const { score, hasDefinition } = candidate;
      if (!hasDefinition && noDefinitionThreshold !== null && score < noDefinitionThreshold && score >= threshold)
        return { ...candidate, dropped: 'no definition' };
      if (score < threshold) return { ...candidate, dropped: 'below threshold' };
      taken += 1;
      if (taken > maxK) return { ...candidate, dropped: 'not among the best' };
      return { ...candidate, dropped: stopConcepts.has(candidate.id) ? 'stoplist' : null };
    });
}

export interface ScispacySelection {
  /** Strict: 0.7 itself is not enough. */
  readonly threshold: number;
  readonly noDefinitionThreshold: number;
  readonly filterForDefinitions: boolean;
  readonly maxEntities: number;
}

export const SCISPACY_SELECTION: ScispacySelection = {
  threshold: 0.7,
  noDefinitionThreshold: 0.95,
  filterForDefinitions: true,
  maxEntities: 10,
};

/** What scispaCy's linker itself gives for a mention (`kb_ents`), for comparison with it. */
export function scispacyEntities(
  candidates: readonly Candidate[],
  selection: ScispacySelection = SCISPACY_SELECTION,
): Candidate[] {
  const { threshold, noDefinitionThreshold, filterForDefinitions, maxEntities } = selection;
  return candidates
    .filter(({ hasDefinition, score }) => !filterForDefinitions || hasDefinition || score >= noDefinitionThreshold)
    .filter(({ score }) => score > threshold)
    .toSorted((a, b) => b.score - a.score || compareText(a.id, b.id))
    .slice(0, maxEntities);
}
