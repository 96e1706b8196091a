import type { Item } from '../data/item.ts';
import { normalise } from '../text/normalise.ts';
import type { Criterion } from './criterion.ts';

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
  const known = new Map<string, string>();
  const typeOf = (name: string): string => {
    let own = known.get(name);
    if (own === undefined) {
      const plain = plainType(name);
      own = classes.get(plain) ?? plain;
      if (known.size < MOST_NAMES_KEPT) known.set(name, own);
    }
    return own;
  };
  const symmetric = new Set(criterion.symmetric.map(typeOf));
  const inverses = new Map<string, Set<string>>();
  const link = (from: string, to: string): void => {
    inverses.set(from, (inverses.get(from) ?? new Set()).add(to));
  };
  for (const [a, b] of criterion.inverse) {
    link(typeOf(a), typeOf(b));
    link(typeOf(b), typeOf(a));
  }
  const accepted = new WeakMap<Item, readonly string[]>();
  /** The type of a gold relationship first, then those it accepts beside it. */
  const rightTypes = (gold: Item): readonly string[] => {
    let own = accepted.get(gold);
    if (own === undefined) {
      const field = criterion.acceptable === null ? undefined : gold.fields[criterion.acceptable];
      const more: readonly unknown[] = Array.isArray(field) ? field : [field];
      own = [gold.label, ...more.filter((name) => typeof name === 'string')].map(typeOf);
      accepted.set(gold, own);
    }
    return own;
  };
  return {
    areSame: (gold, predicted) => rightTypes(gold).includes(typeOf(predicted.label)),
    areInverse: (gold, predicted) =>
      rightTypes(gold).some((type) => inverses.get(type)?.has(typeOf(predicted.label)) === true),
    isSymmetric: (gold, predicted) => symmetric.has(typeOf(gold.label)) || symmetric.has(typeOf(predicted.label)),
  };
}

/** A vocabulary is small; a file of invented types must not fill the memory. */
const MOST_NAMES_KEPT = 10_000;

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
