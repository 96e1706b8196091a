import type { Item } from '../data/item.ts';
import { levenshteinSimilarity } from '../text/levenshtein.ts';
import { normalise } from '../text/normalise.ts';
import { type Criterion, thresholdFor } from './criterion.ts';
import { relationTypes } from './relation-types.ts';

export const RELATION_MATCHES = ['exact', 'fuzzy', 'inverse', 'inverse-fuzzy'] as const;
export type RelationMatch = (typeof RELATION_MATCHES)[number];

export interface RelationOutcome {
  /** Null when the two do not match; the similarity is then that of the better direction, for explanations. */
  readonly match: RelationMatch | null;
  readonly similarity: number;
}

export interface EndsOutcome {
  readonly equal: boolean;
  /** Both ends reach the threshold. */
  readonly reached: boolean;
  /** The mean of both ends. */
  readonly similarity: number;
  /** That of the end that is less alike. */
  readonly least: number;
}

/** Compares the ends of two relationships, as given or with the predicted ones swapped; types do not count. */
export type CompareEnds = (gold: Item, predicted: Item, swapped: boolean) => EndsOutcome;

const NO_ENDS: EndsOutcome = { equal: false, reached: false, similarity: 0, least: 0 };

export function endsComparer(criterion: Criterion): CompareEnds {
  const names = new WeakMap<Item, { source: string | null; target: string | null }>();
  const plain = (name: string | null): string | null => (name === null ? null : normalise(name, criterion.normalise));
  const namesOf = (item: Item): { source: string | null; target: string | null } => {
    let own = names.get(item);
    if (own === undefined) names.set(item, (own = { source: plain(item.source), target: plain(item.target) }));
    return own;
  };
  return (gold, predicted, swapped) => {
    const right = namesOf(gold);
    const given = namesOf(predicted);
    const source = swapped ? given.target : given.source;
    const target = swapped ? given.source : given.target;
    if (right.source === null || right.target === null || source === null || target === null) return NO_ENDS;
    // Thresholds may be set by label, and a relationship's label is its type.
    const threshold = thresholdFor(criterion.threshold, gold.label);
    const first = levenshteinSimilarity(right.source, source);
    const second = levenshteinSimilarity(right.target, target);
    return {
      equal: first === 1 && second === 1,
      reached: first >= threshold && second >= threshold,
      similarity: (first + second) / 2,
      least: Math.min(first, second),
    };
  };
}

/**
 * Compares two relationships: the same type (or one that counts as the same) with similar ends is exact or fuzzy; a
 * symmetric type also with the ends swapped; an inverse type with the ends swapped is inverse or inverse-fuzzy.
 * Both ends must reach the threshold; the similarity is their mean.
 */
export function relationComparer(
  criterion: Criterion,
  ends: CompareEnds = endsComparer(criterion),
): (gold: Item, predicted: Item) => RelationOutcome {
  const types = relationTypes(criterion);
  return (gold, predicted) => {
    const same = types.areSame(gold, predicted);
    const inverse = types.areInverse(gold, predicted);
    let best: RelationOutcome = { match: null, similarity: 0 };
    const consider = (swapped: boolean, exact: RelationMatch, fuzzy: RelationMatch): void => {
      const found = ends(gold, predicted, swapped);
      const match = found.reached ? (found.equal ? exact : fuzzy) : null;
      if (isBetter(match, found.similarity, best)) best = { match, similarity: found.similarity };
    };
    if (same) consider(false, 'exact', 'fuzzy');
    if (same && types.isSymmetric(gold, predicted)) consider(true, 'exact', 'fuzzy');
    if (inverse) consider(true, 'inverse', 'inverse-fuzzy');
    return best;
  };
}

function isBetter(match: RelationMatch | null, similarity: number, best: RelationOutcome): boolean {
  if (match === null) return best.match === null && similarity > best.similarity;
  return best.match === null || RELATION_MATCHES.indexOf(match) < RELATION_MATCHES.indexOf(best.match);
}
