import { isDeepStrictEqual } from 'node:util';

import type { Fields, Item } from '../../../data/item.ts';
import { compareText } from '../../../text/compare.ts';

/** Whether predictions say what gold says, one by one. */
export function areSame(gold: readonly Item[], predicted: readonly Item[]): boolean {
  return gold.length === predicted.length && gold.every((item, at) => isSame(item, predicted[at]!));
}

/** Sorting costs more than seeing that some item has no like. */
export function isReordered(gold: readonly Item[], predicted: readonly Item[]): boolean {
  if (gold.length !== predicted.length) return false;
  const texts = new Set(predicted.map(({ text }) => text.toLowerCase()));
  if (gold.some(({ text }) => !texts.has(text.toLowerCase()))) return false;
  return areSame(gold.toSorted(byContent), predicted.toSorted(byContent));
}

function isSame(gold: Item, predicted: Item): boolean {
  return (
    gold.start === predicted.start &&
    gold.end === predicted.end &&
    gold.kind === predicted.kind &&
    sameLetters(gold.label, predicted.label) &&
    sameLetters(gold.text, predicted.text) &&
    sameLetters(gold.source ?? '', predicted.source ?? '') &&
    sameLetters(gold.target ?? '', predicted.target ?? '') &&
    haveSameFields(gold.fields, predicted.fields)
  );
}

/** Upper and lower case aside: recipes that compare names do not look at it either. */
function sameLetters(one: string, other: string): boolean {
  return one === other || (one.length === other.length && one.toLowerCase() === other.toLowerCase());
}

/** Whether not even upper and lower case differ. */
export function haveSameLetters(gold: readonly Item[], predicted: readonly Item[]): boolean {
  const [own, others] = [gold, predicted].map((items) => items.flatMap(({ label, text }) => [label, text]).toSorted());
  return isDeepStrictEqual(own, others);
}

/** Whether the fields that both have say the same. */
function haveSameFields(gold: Fields, predicted: Fields): boolean {
  return Object.keys(gold).every((field) => {
    const [one, other] = [gold[field], predicted[field]];
    if (!Object.hasOwn(predicted, field)) return true;
    return typeof one === 'string' && typeof other === 'string'
      ? sameLetters(one, other)
      : isDeepStrictEqual(one, other);
  });
}

function contentOf({ kind, label, text, start, end, source, target }: Item): string {
  return [kind, label, text, start, end, source ?? '', target ?? ''].join('\u0000').toLowerCase();
}

function byContent(a: Item, b: Item): number {
  return compareText(contentOf(a), contentOf(b));
}

/** How many gold items have a prediction that is the same, each prediction for one of them. */
export function sameItems(gold: readonly Item[], predicted: readonly Item[]): number {
  const free = Map.groupBy(predicted, ({ text }) => text);
  let same = 0;
  for (const item of gold) {
    const alike = free.get(item.text);
    const at = alike?.findIndex((one) => isSame(item, one)) ?? -1;
    if (at < 0) continue;
    alike?.splice(at, 1);
    same += 1;
  }
  return same;
}
