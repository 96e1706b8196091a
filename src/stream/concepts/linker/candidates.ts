import { compareText } from '../../../plugin.ts';
import { conceptAt, type IndexedConcept, type LinkerIndex } from './linker-index.ts';
import { ClosestAliases } from './closest-aliases.ts';
import { packedText } from './text-table.ts';

/** A concept that a mention may mean, with the best of its aliases among the closest. */
export interface AliasCandidate extends IndexedConcept {
  readonly alias: string;
  readonly score: number;
}

/** What a search needs is made once for an index. */
const searches = new WeakMap<LinkerIndex, ClosestAliases>();

/**
 * The concepts of the k aliases that are closest to a mention and have a score of at least `floor`, the best first,
 * equal scores by id. A concept's score is that of its best alias. A mention without a known trigram has no candidates.
 */
export function candidates(index: LinkerIndex, mention: string, k: number, floor: number): AliasCandidate[] {
  const search = searches.get(index) ?? new ClosestAliases(index);
  searches.set(index, search);
  const { owners, ownerStarts } = index.arrays;
  const concepts = new Map<number, AliasCandidate>();
  // The best alias of a concept comes first.
  for (const { alias, score } of search.find(mention, k, floor))
    for (const concept of owners.subarray(ownerStarts[alias], ownerStarts[alias + 1]))
      if (!concepts.has(concept))
        concepts.set(concept, { ...conceptAt(index, concept), alias: packedText(index.aliases, alias), score });
  return [...concepts.values()].sort((a, b) => b.score - a.score || compareText(a.id, b.id));
}

/** Why a candidate is not among the concepts of a mention. */
export type Dropped = 'no definition' | 'below threshold' | 'not among the best' | 'stoplist';

export interface Selection {
  /** The least score of a candidate. */
  readonly threshold: number;
  /** How many are taken, before the stoplist. */
  readonly maxK: number;
  /** The least score of a concept without a definition; null if that makes no difference. */
  readonly noDefinitionThreshold: number | null;
  /** Ids in upper case. */
  readonly stopConcepts: ReadonlySet<string>;
}

/**
 * Which candidates of a mention are its concepts (`dropped` is null), in exactly this order: the threshold of concepts
 * without a definition, the threshold, the best first (equal scores by id), the first maxK, and only then the stoplist: a
 * stopped concept that is among the best keeps its place, and no other takes it.
 */
export function selectConcepts<C extends Pick<AliasCandidate, 'id' | 'score' | 'hasDefinition'>>(
  choices: readonly C[],
  { threshold, maxK, noDefinitionThreshold, stopConcepts }: Selection,
): (C & { readonly dropped: Dropped | null })[] {
  let taken = 0;
  return choices
    .toSorted((a, b) => b.score - a.score || compareText(a.id, b.id))
    .map((candidate) => {
      const { id, score, hasDefinition } = candidate;
      if (score < threshold) return { ...candidate, dropped: 'below threshold' };
      if (!hasDefinition && noDefinitionThreshold !== null && score < noDefinitionThreshold)
        return { ...candidate, dropped: 'no definition' };
      taken += 1;
      if (taken > maxK) return { ...candidate, dropped: 'not among the best' };
      return { ...candidate, dropped: stopConcepts.has(id) ? 'stoplist' : null };
    });
}
