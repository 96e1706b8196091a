import { compareText } from '../../../../text/compare.ts';
import type { AliasScore } from './best-aliases.ts';
import { aliasText, conceptAt, type IndexedConcept, type LinkerIndex } from './linker-index.ts';
import { NearestAliases } from './nearest-aliases.ts';

/** How many aliases scispaCy looks at for a mention. */
export const NEAREST = 30;

/** A concept that a mention may mean, with the best of its aliases among the nearest. */
export interface Candidate extends IndexedConcept {
  readonly alias: string;
  readonly score: number;
}

export interface CandidateOptions {
  /** How many of the nearest aliases are looked at: 30. */
  readonly k?: number;
  /** Aliases below this score are not looked at, which is much quicker: 0. */
  readonly floor?: number;
}

/** What a search needs is made once for an index. */
const searches = new WeakMap<LinkerIndex, NearestAliases>();

/**
 * The concepts of the k aliases that are nearest to a mention, the best first, equal scores by id. A concept's score is
 * that of its best alias. A mention without a known trigram has no candidates.
 *
 * As scispaCy's candidate generator: where fewer than k aliases have anything in common with the mention and no floor is
 * given, others fill up with a score of 0, in the order of the knowledge base, the aliases of one concept in text order.
 */
export function candidates(index: LinkerIndex, mention: string, options: CandidateOptions = {}): Candidate[] {
  const { k = NEAREST, floor = 0 } = options;
  let search = searches.get(index);
  if (search === undefined) {
    search = new NearestAliases(index);
    searches.set(index, search);
  }
  const found = search.find(mention, k, floor);
  if (found.length > 0 && floor <= 0) {
    for (const alias of index.kbOrder) {
      if (found.length >= k) break;
      if (search.scoreOf(mention, alias) === 0) found.push({ alias, score: 0 });
    }
  }
  return byConcept(index, found);
}

function byConcept(index: LinkerIndex, aliases: readonly AliasScore[]): Candidate[] {
  const found = new Map<number, Candidate>();
  // The best alias of a concept comes first.
  for (const { alias, score } of aliases)
    for (const concept of index.owners.subarray(index.ownerStarts[alias], index.ownerStarts[alias + 1]))
      if (!found.has(concept))
        found.set(concept, { ...conceptAt(index, concept), alias: aliasText(index, alias), score });
  return [...found.values()].sort((a, b) => b.score - a.score || compareText(a.id, b.id));
}
