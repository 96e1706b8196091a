import { type End, ENDS, type Item } from '../data/item.ts';
import { compareText } from '../text/compare.ts';
import { levenshteinSimilarity } from '../text/levenshtein.ts';
import { shortUnder } from '../text/figures.ts';
import type { Normaliser } from '../text/normalise.ts';
import { placeKey } from '../text/pieces.ts';
import { type Criterion, thresholdFor } from './criterion.ts';
import { labelsOf } from './difference.ts';
import {
  arePlaced,
  type CompareEnds,
  comparesPlaces,
  type EndsOutcome,
  placesApart,
  placesComparer,
} from './end-places.ts';
import type { Matcher, Reason } from './matcher.ts';
import { endsSearch } from './ends-search.ts';
import { keptByText, normaliserOf } from './similarity.ts';

/** From the best to the least. */
export const RELATION_MATCHES = ['exact', 'fuzzy', 'inverse', 'inverse-fuzzy'] as const;
export type RelationMatch = (typeof RELATION_MATCHES)[number];

const TURNED = 'the ends are swapped, and are not the same either way';
const NO_ENDS: EndsOutcome = { similarity: 0, least: -1 };

export function endsComparer(criterion: Criterion): CompareEnds {
  if (comparesPlaces(criterion)) return placesComparer(criterion);
  const plain = normaliserOf(criterion.normalise);
  return (gold, predicted, swapped) => {
    const source = swapped ? predicted.target : predicted.source;
    const target = swapped ? predicted.source : predicted.target;
    if (gold.source === null || gold.target === null || source === null || target === null) return NO_ENDS;
    const first = levenshteinSimilarity(plain(gold.source), plain(source));
    const second = levenshteinSimilarity(plain(gold.target), plain(target));
    return { similarity: (first + second) / 2, least: Math.min(first, second) };
  };
}

/**
 * Compares two relationships: the same type (or one that counts as the same) with similar ends is exact or fuzzy; a
 * symmetric type also with the ends swapped; an inverse type with the ends swapped is inverse or inverse-fuzzy.
 * Both ends must reach the threshold; the similarity is their mean. Two that have nothing in common never match.
 */
export function relationMatcher(criterion: Criterion, ends: CompareEnds): Matcher {
  const types = relationTypes(criterion);
  const reason = (similarity: number, why: string): Reason => ({ similarity, closeness: similarity, why: () => why });
  return {
    accept(gold, predicted) {
      // Thresholds may be set by label, and a relationship's label is its type.
      const threshold = thresholdFor(criterion.threshold, gold.label);
      let [preference, similarity]: [number, number] = [RELATION_MATCHES.length, 0];
      const consider = (swapped: boolean, match: RelationMatch): void => {
        const found = ends(gold, predicted, swapped);
        const rank = RELATION_MATCHES.indexOf(match) + (found.least === 1 ? 0 : 1);
        if (found.least >= threshold && rank < preference) [preference, similarity] = [rank, found.similarity];
      };
      const isSame = types.areSame(gold, predicted);
      if (isSame) consider(false, 'exact');
      if (isSame && types.isSymmetric(gold, predicted)) consider(true, 'exact');
      if (types.areInverse(gold, predicted)) consider(true, 'inverse');
      const match = RELATION_MATCHES[preference];
      return match === undefined || similarity === 0 ? null : { similarity, preference, match };
    },
    explain(gold, predicted, places) {
      if (predicted.source === null || predicted.target === null)
        return reason(0, 'one of its ends is no extracted entity');
      const [straight, swapped] = [ends(gold, predicted, false), ends(gold, predicted, true)];
      const { similarity, least } = straight.similarity >= swapped.similarity ? straight : swapped;
      const threshold = thresholdFor(criterion.threshold, gold.label);
      if (straight.least < threshold && swapped.least < threshold) {
        if (comparesPlaces(criterion)) {
          const isTurned = swapped.similarity > straight.similarity && arePlaced(gold, predicted);
          return reason(similarity, isTurned ? TURNED : placesApart(criterion, gold, predicted, threshold, places));
        }
        const has = shortUnder(Math.max(0, least), threshold);
        return reason(similarity, `the ends are not similar enough (one has ${has}, each needs ${threshold})`);
      }
      if (types.areSame(gold, predicted))
        return reason(similarity, 'the ends are swapped and the type is not symmetric');
      const turned = straight.least >= threshold ? '' : ' and direction';
      return reason(similarity, `type${turned} differs: ${labelsOf(gold, predicted)}`);
    },
    search: (gold, predicted) => endsSearch(criterion, gold, predicted),
  };
}

/**
 * A text that relationships of one side share if a criterion finds no difference: the same type between the same ends,
 * in either direction if the type has none.
 */
export function relationKey(criterion: Criterion): (item: Item) => string {
  const types = relationTypes(criterion);
  const plain = normaliserOf(criterion.normalise);
  const endOf = (item: Item, end: End): string => {
    const [place, name] = [comparesPlaces(criterion) ? item.ends?.[end] : null, item[end]];
    if (place == null) return JSON.stringify([name === null ? null : plain(name)]);
    return JSON.stringify([placeKey(place), criterion.ends === 'place' ? null : place.label]);
  };
  return (item) => {
    const ends = ENDS.map((end) => endOf(item, end));
    return JSON.stringify([types.typeOf(item.label), types.isSymmetric(item, item) ? ends.sort(compareText) : ends]);
  };
}

/**
 * A recipe's settings for types, applied to a gold and a predicted relationship. By default types are compared in lower
 * case with white space tidied. Types of one `equivalent` group are one type, also through a third they share; a gold relationship
 * may list further accepted types itself.
 */
function relationTypes(criterion: Criterion) {
  const plainType = normaliserOf(criterion.normaliseTypes ?? USUAL_TYPES);
  const classes = equivalenceClasses(criterion.equivalent.map((group) => group.map(plainType)));
  const typeOf = keptByText((name) => classes.get(plainType(name)) ?? plainType(name));
  const symmetric = new Set(criterion.symmetric.map(typeOf));
  const bothWays = criterion.inverse.flatMap(([a, b]) => [
    [typeOf(a), typeOf(b)],
    [typeOf(b), typeOf(a)],
  ]);
  const inverses = Map.groupBy(bothWays, ([type]) => type!);
  /** The type of a gold relationship first, then those it accepts beside it. */
  const rightTypes = (gold: Item): readonly string[] => {
    const field = criterion.acceptable === null ? undefined : gold.fields[criterion.acceptable];
    const own = typeOf(gold.label);
    if (field === undefined) return [own];
    const more: readonly unknown[] = Array.isArray(field) ? field : [field];
    return [own, ...more.filter((name) => typeof name === 'string').map(typeOf)];
  };
  return {
    typeOf,
    areSame: (gold: Item, predicted: Item) => rightTypes(gold).includes(typeOf(predicted.label)),
    /** Whether the predicted type is the inverse of a type that is right. */
    areInverse: (gold: Item, predicted: Item) =>
      rightTypes(gold).some(
        (type) => inverses.get(type)?.some(([, other]) => other === typeOf(predicted.label)) === true,
      ),
    isSymmetric: (gold: Item, predicted: Item) =>
      symmetric.has(typeOf(gold.label)) || symmetric.has(typeOf(predicted.label)),
  };
}

const USUAL_TYPES: readonly Normaliser[] = ['lower', 'trim', 'collapse'];

/** Each type of a group with the name its whole class goes by. */
function equivalenceClasses(groups: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  const classes = new Map<string, string>();
  for (const members of groups) {
    const joined = new Set(members.map((name) => classes.get(name) ?? name));
    const [own] = joined;
    if (own === undefined) continue;
    for (const name of members) classes.set(name, own);
    for (const [name, before] of classes) if (joined.has(before)) classes.set(name, own);
  }
  return classes;
}
