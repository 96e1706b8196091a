import type { Item } from '../data/item.ts';
import { compareText } from '../text/compare.ts';

/** Items in an order that depends on what they are and not on where they stood; equal ones are interchangeable. */
export function contentOrder(items: readonly Item[]): readonly Item[] {
  for (let at = 1; at < items.length; at += 1) {
    const before = items[at - 1]!;
    const own = items[at]!;
    // Mostly the list is in text order already, and this is all that is done.
    if (before.start < own.start) continue;
    if (byContent(before, own) > 0) return items.toSorted(byContent);
  }
  return items;
}

function byContent(a: Item, b: Item): number {
  return (
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.label, b.label) ||
    compareText(a.text, b.text) ||
    compareText(a.refused?.because ?? '', b.refused?.because ?? '') ||
    (a.fields === b.fields ? 0 : compareText(JSON.stringify(a.fields), JSON.stringify(b.fields)))
  );
}
