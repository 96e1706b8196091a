import { z } from 'zod';

import { type Case, type SetAside, variantOf } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import { nearestNames } from '../text/nearest.ts';
import { itemKey } from './item-key.ts';
import { defineRule } from './rule.ts';
import type { PrepareStep } from './step.ts';

const params = z.strictObject({
  /** first, first-lexicographic, union, majority, each, or an annotator's name. */
  use: z.string().default('first'),
  /** A case that has annotators, but not the named one: most likely a typing mistake, or its gold is empty. */
  absent: z.enum(['error', 'empty']).default('error'),
});

/**
 * Whose gold counts. `first` is by natural order (annotator2 before annotator10), `first-lexicographic` by code units
 * (annotator10 before annotator2), `union` every distinct span, `majority` those of more than half of the document's
 * annotators, `each` scores the case once per annotator (slice `annotator`). Gold without annotators passes through.
 */
export const annotator = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'annotator',
  about: 'whose gold counts: first, first-lexicographic, union, majority, each, or a name',
  params: z.preprocess((value) => (typeof value === 'string' ? { use: value } : value), params),
  // Without it every annotator's gold counts at once, and what two of them marked is there twice.
  needed: {},
  step:
    ({ use, absent }, rule) =>
    (given) => {
      const names = annotatorsOf(given.gold);
      if (names.length === 0) return given;
      switch (use) {
        case 'first':
          return only(given, names.sort(compareNatural)[0]!, rule);
        case 'first-lexicographic':
          return only(given, names.sort(compareText)[0]!, rule);
        case 'union':
          return agreed(given, 1, names.length, rule);
        case 'majority':
          return agreed(given, Math.floor(names.length / 2) + 1, names.length, rule);
        case 'each':
          return names.sort(compareNatural).map((name) => ({
            ...variantOf(of(given, name), name),
            fields: { ...given.fields, annotator: name },
          }));
        default:
          if (absent === 'error' && !names.includes(use)) throw notThere(given, use, names.sort(compareNatural));
          return only(given, use, rule);
      }
    },
});

function annotatorsOf(items: readonly Item[]): string[] {
  const names = new Set<string>();
  for (const item of items) if (item.annotator !== null) names.add(item.annotator);
  return [...names];
}

/** One annotator's gold; the others' was never part of the question, so it is counted and not judged. */
function only(given: Case, name: string, rule: string): Case {
  const own = of(given, name);
  const count = given.gold.length - own.gold.length + given.setAside.length - own.setAside.length;
  return count === 0 ? given : { ...own, notCounted: [...(given.notCounted ?? []), { rule, count }] };
}

function of(given: Case, name: string): Case {
  const isOwn = (item: Item): boolean => item.annotator === null || item.annotator === name;
  return {
    ...given,
    gold: given.gold.filter(isOwn),
    setAside: given.setAside.filter(({ side, item }) => side === 'predicted' || isOwn(item)),
  };
}

/** Distinct spans that at least `quorum` annotators gave; the record of the first of them stands for all. */
function agreed(given: Case, quorum: number, total: number, rule: string): Case {
  const byPlace = new Map<string, Item[]>();
  const gold: Item[] = [];
  for (const item of given.gold) {
    if (item.annotator === null) {
      gold.push(item);
      continue;
    }
    const key = itemKey(item);
    const held = byPlace.get(key);
    if (held === undefined) byPlace.set(key, [item]);
    else held.push(item);
  }
  const setAside: SetAside[] = [...given.setAside];
  let copies = 0;
  for (const items of byPlace.values()) {
    const by = new Map<string, Item>();
    for (const item of items) {
      const first = by.get(item.annotator ?? '');
      if (first === undefined) by.set(item.annotator ?? '', item);
      else setAside.push({ side: 'gold', item, rule, because: `equal to item ${first.index}` });
    }
    const firstName = [...by.keys()].sort(compareNatural)[0]!;
    const item = by.get(firstName)!;
    copies += by.size - 1;
    if (by.size >= quorum) gold.push(item);
    else setAside.push({ side: 'gold', item, rule, because: `given by ${by.size} of ${total} annotators` });
  }
  if (copies === 0) return { ...given, gold, setAside };
  return { ...given, gold, setAside, notCounted: [...(given.notCounted ?? []), { rule, count: copies }] };
}

function notThere(given: Case, name: string, names: readonly string[]): UsageError {
  const near = nearestNames(name, names);
  return new UsageError(
    `case ${given.id}: no gold by the annotator ${name}; it has gold by ${names.join(', ')}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `to count such cases as cases without gold: --set 'prepare.annotator={use: ${name}, absent: empty}'`,
  );
}
