import type { Item } from '../data/item.ts';
import { levenshteinSimilarity } from '../text/levenshtein.ts';
import { normalise } from '../text/normalise.ts';
import { type Criterion, thresholdFor } from './criterion.ts';

export const RELATION_MATCHES = ['exact', 'fuzzy', 'inverse', 'inverse-fuzzy'] as const;
export type RelationMatch = (typeof RELATION_MATCHES)[number];

export interface RelationOutcome {
  /** Null when the two do not match; the similarity is then that of the better direction, for explanations. */
  readonly match: RelationMatch | null;
  readonly similarity: number;
}

/**
 * Compares two relationships: the same type (or an equivalent one) with similar ends is exact or fuzzy; a symmetric
 * type also with the ends swapped; an inverse type with the ends swapped is inverse or inverse-fuzzy.
 * Both ends must reach the threshold; the similarity is their mean.
 */
export function relationComparer(criterion: Criterion): (gold: Item, predicted: Item) => RelationOutcome {
  const steps = criterion.normalise;
  const typeOf = (name: string): string => normalise(name, ['lower', 'trim', 'collapse']);
  const symmetric = new Set(criterion.symmetric.map(typeOf));
  const inverse = new Map<string, Set<string>>();
  const same = new Map<string, Set<string>>();
  const link = (map: Map<string, Set<string>>, from: string, to: string): void => {
    map.set(from, (map.get(from) ?? new Set()).add(to));
  };
  for (const [a, b] of criterion.inverse) {
    link(inverse, typeOf(a), typeOf(b));
    link(inverse, typeOf(b), typeOf(a));
  }
  for (const group of criterion.equivalent)
    for (const a of group) for (const b of group) link(same, typeOf(a), typeOf(b));
  // Thresholds may be set by label, and a relationship's label is its type.
  const ends = (
    g: Item,
    p: Item,
    swapped: boolean,
    threshold: number,
  ): { equal: boolean; reached: boolean; similarity: number } => {
    const [source, target] = swapped ? [p.target, p.source] : [p.source, p.target];
    if (g.source === null || g.target === null || source === null || target === null)
      return { equal: false, reached: false, similarity: 0 };
    const first = levenshteinSimilarity(normalise(g.source, steps), normalise(source, steps));
    const second = levenshteinSimilarity(normalise(g.target, steps), normalise(target, steps));
    return {
      equal: first === 1 && second === 1,
      reached: first >= threshold && second >= threshold,
      similarity: (first + second) / 2,
    };
  };
  return (gold, predicted) => {
    const goldType = typeOf(gold.label);
    const type = typeOf(predicted.label);
    const threshold = thresholdFor(criterion.threshold, gold.label);
    let best: RelationOutcome = { match: null, similarity: 0 };
    const consider = (swapped: boolean, exact: RelationMatch, fuzzy: RelationMatch): void => {
      const found = ends(gold, predicted, swapped, threshold);
      const match = found.reached ? (found.equal ? exact : fuzzy) : null;
      const better =
        match !== null &&
        (best.match === null || RELATION_MATCHES.indexOf(match) < RELATION_MATCHES.indexOf(best.match));
      if (better || (best.match === null && found.similarity > best.similarity))
        best = { match, similarity: found.similarity };
    };
    const sameType = goldType === type || same.get(goldType)?.has(type) === true;
    if (sameType) consider(false, 'exact', 'fuzzy');
    if (sameType && (symmetric.has(goldType) || symmetric.has(type))) consider(true, 'exact', 'fuzzy');
    if (inverse.get(goldType)?.has(type) === true) consider(true, 'inverse', 'inverse-fuzzy');
    return best;
  };
}
