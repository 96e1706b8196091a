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
  const plain = keptNames((name) => normalise(name, criterion.normalise));
  return (gold, predicted, swapped) => {
    const source = swapped ? predicted.target : predicted.source;
    const target = swapped ? predicted.source : predicted.target;
    if (gold.source === null || gold.target === null || source === null || target === null) return NO_ENDS;
    // Thresholds may be set by label, and a relationship's label is its type.
    const threshold = thresholdFor(criterion.threshold, gold.label);
    const first = levenshteinSimilarity(plain(gold.source), plain(source));
    const second = levenshteinSimilarity(plain(gold.target), plain(target));
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

/** What a recipe says about types of relationships, asked for a gold and a predicted one. */
export interface RelationTypes {
  areSame(gold: Item, predicted: Item): boolean;
  /** Whether the predicted type is the inverse of a type that is right. */
  areInverse(gold: Item, predicted: Item): boolean;
  isSymmetric(gold: Item, predicted: Item): boolean;
}

/**
 * Types are compared in lower case with white space tidied. Types of one `equivalent` group are one type, also through
 * a third they share; a gold relationship may accept further types of its own.
 */
export function relationTypes(criterion: Criterion): RelationTypes {
  const classes = equivalenceClasses(criterion.equivalent);
  const typeOf = keptNames((name) => classes.get(plainType(name)) ?? plainType(name));
  const symmetric = new Set(criterion.symmetric.map(typeOf));
  const inverses = new Map<string, Set<string>>();
  const link = (from: string, to: string): void => {
    inverses.set(from, (inverses.get(from) ?? new Set()).add(to));
  };
  for (const [a, b] of criterion.inverse) {
    link(typeOf(a), typeOf(b));
    link(typeOf(b), typeOf(a));
  }
  /** The type of a gold relationship first, then those it accepts beside it. */
  const rightTypes = (gold: Item): readonly string[] => {
    const field = criterion.acceptable === null ? undefined : gold.fields[criterion.acceptable];
    const own = typeOf(gold.label);
    if (field === undefined) return [own];
    const more: readonly unknown[] = Array.isArray(field) ? field : [field];
    return [own, ...more.filter((name) => typeof name === 'string').map(typeOf)];
  };
  return {
    areSame: (gold, predicted) => rightTypes(gold).includes(typeOf(predicted.label)),
    areInverse: (gold, predicted) =>
      rightTypes(gold).some((type) => inverses.get(type)?.has(typeOf(predicted.label)) === true),
    isSymmetric: (gold, predicted) => symmetric.has(typeOf(gold.label)) || symmetric.has(typeOf(predicted.label)),
  };
}

/** Names come again and again; a file of invented ones must not fill the memory. */
const MOST_NAMES_KEPT = 10_000;

function keptNames(make: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    let own = known.get(name);
    if (own !== undefined) return own;
    if (known.size >= MOST_NAMES_KEPT) known.clear();
    known.set(name, (own = make(name)));
    return own;
  };
}

function plainType(name: string): string {
  return normalise(name, ['lower', 'trim', 'collapse']);
}

/** Each type of a group with the name its whole class goes by. */
function equivalenceClasses(groups: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  const classes = new Map<string, string>();
  for (const group of groups) {
    const members = group.map(plainType);
    const joined = new Set(members.map((name) => classes.get(name) ?? name));
    const [own] = joined;
    if (own === undefined) continue;
    for (const name of members) classes.set(name, own);
    for (const [name, before] of classes) if (joined.has(before)) classes.set(name, own);
  }
  return classes;
}
