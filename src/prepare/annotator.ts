import { z } from 'zod';

import { type Case, type SetAside, variantOf } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import { didYouMean } from './setting-error.ts';
import { itemKey, prepareRule } from './step.ts';

const params = z.strictObject({
  use: z
    .string()
    .default('first')
    .describe('first (natural order), first-lexicographic, union, majority, each (a case per annotator), or a name'),
  absent: z
    .enum(['error', 'empty'])
    .default('error')
    .describe('a case that has annotators but not the named one: an error, or empty gold'),
});

/**
 * Whose gold counts. `first` is by natural order (annotator2 before annotator10), `first-lexicographic` by code units
 * (annotator10 before annotator2), `union` every distinct span, `majority` those of more than half of the document's
 * annotators, `each` scores the case once per annotator (slice `annotator`). Gold without annotators passes through.
 */
export const annotator = prepareRule({
  name: 'annotator',
  about: 'whose gold counts: first, first-lexicographic, union, majority, each, or a name',
  params: z.preprocess((value) => (typeof value === 'string' ? { use: value } : value), params),
  // Without it every annotator's gold counts at once, and what two of them marked is there twice.
  needed: {},
  onPlainSpans: 'same',
  step:
    ({ use, absent }, rule) =>
    (given) => {
      const annotators = given.gold.flatMap((item) => item.annotator ?? []);
      const names = [...new Set(annotators)].sort(use === 'first-lexicographic' ? compareText : compareNatural);
      const [first] = names;
      if (first === undefined) return given;
      switch (use) {
        case 'first':
        case 'first-lexicographic':
          return only(given, first, rule);
        case 'union':
          return agreed(given, 1, names.length, rule);
        case 'majority':
          return agreed(given, Math.floor(names.length / 2) + 1, names.length, rule);
        case 'each':
          return names.map((name) =>
            variantOf({ ...goldBy(given, name), fields: { ...given.fields, annotator: name } }, name),
          );
        default:
          if (absent === 'error' && !names.includes(use)) throw notThere(given, use, names);
          return only(given, use, rule);
      }
    },
});

/** One annotator's gold; the others' was never part of the question, so it is counted and not judged. */
function only(given: Case, name: string, rule: string): Case {
  const own = goldBy(given, name);
  return notCounting(own, rule, given.gold.length - own.gold.length + given.setAside.length - own.setAside.length);
}

function notCounting(given: Case, rule: string, count: number): Case {
  return count === 0 ? given : { ...given, notCounted: [...(given.notCounted ?? []), { rule, count }] };
}

function goldBy(given: Case, name: string): Case {
  const isOwn = (item: Item): boolean => item.annotator === null || item.annotator === name;
  const setAside = given.setAside.filter(({ side, item }) => side === 'predicted' || isOwn(item));
  return { ...given, gold: given.gold.filter(isOwn), setAside };
}

/** Distinct spans that at least `quorum` annotators gave; the record of the first of them stands for all. */
function agreed(given: Case, quorum: number, total: number, rule: string): Case {
  const gold = given.gold.filter((item) => item.annotator === null);
  const setAside: SetAside[] = [...given.setAside];
  const leave = (item: Item, because: string): number => setAside.push({ side: 'gold', item, rule, because });
  let copies = 0;
  for (const items of Map.groupBy(
    given.gold.filter((item) => item.annotator !== null),
    (item) => itemKey(item),
  ).values()) {
    const by = new Map<string, Item>();
    for (const item of items) {
      const first = by.get(item.annotator ?? '');
      if (first === undefined) by.set(item.annotator ?? '', item);
      else leave(item, `equal to item ${first.index}`);
    }
    const item = by.get([...by.keys()].sort(compareNatural)[0]!)!;
    copies += by.size - 1;
    if (by.size >= quorum) gold.push(item);
    else leave(item, `given by ${by.size} of ${total} annotators`);
  }
  return notCounting({ ...given, gold, setAside }, rule, copies);
}

function notThere(given: Case, name: string, names: readonly string[]): UsageError {
  const asEmpty = `to count such cases as cases without gold: --set 'prepare.annotator={use: ${name}, absent: empty}'`;
  const message = `case ${given.id}: no gold by the annotator ${name}; it has gold by ${names.join(', ')}`;
  return new UsageError(message, didYouMean(name, names) ?? asEmpty);
}
