import { z } from 'zod';

import type { Case } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import { defineRule } from './rule.ts';
import type { PrepareStep } from './step.ts';

const params = z.strictObject({
  /** first, first-lexicographic, union, majority, each, or an annotator's name. */
  use: z.string().default('first'),
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
  step:
    ({ use }, rule) =>
    (given) => {
      const names = [...new Set(given.gold.flatMap((item) => (item.annotator === null ? [] : [item.annotator])))];
      if (names.length === 0) return given;
      switch (use) {
        case 'first':
          return only(given, names.toSorted(compareNatural)[0] ?? '', rule);
        case 'first-lexicographic':
          return only(given, names.toSorted(compareText)[0] ?? '', rule);
        case 'union':
          return agreed(given, 1, names.length, rule);
        case 'majority':
          return agreed(given, Math.floor(names.length / 2) + 1, names.length, rule);
        case 'each':
          return names.toSorted(compareNatural).map((name) => {
            const one = only(given, name, rule);
            return {
              ...one,
              id: `${given.id}@${name}`,
              fields: { ...given.fields, annotator: name },
              setAside: given.setAside,
            };
          });
        default:
          return only(given, use, rule);
      }
    },
});

function only(given: Case, name: string, rule: string): Case {
  const kept = given.gold.filter((item) => item.annotator === null || item.annotator === name);
  if (kept.length === given.gold.length) return given;
  return {
    ...given,
    gold: kept,
    notCounted: [...(given.notCounted ?? []), { rule, count: given.gold.length - kept.length }],
  };
}

/** Distinct spans that at least `quorum` annotators gave; the first one's record stands for all. */
function agreed(given: Case, quorum: number, total: number, rule: string): Case {
  const byPlace = new Map<string, { item: Item; by: Set<string> }>();
  for (const item of given.gold) {
    const key = `${item.start} ${item.end} ${item.label} ${item.text}`;
    const held = byPlace.get(key) ?? { item, by: new Set() };
    held.by.add(item.annotator ?? '');
    byPlace.set(key, held);
  }
  const gold: Item[] = [];
  const setAside = [...given.setAside];
  for (const { item, by } of byPlace.values()) {
    if (by.size >= quorum) gold.push(item);
    else setAside.push({ side: 'gold', item, rule, because: `given by ${by.size} of ${total} annotators` });
  }
  return { ...given, gold, setAside };
}
