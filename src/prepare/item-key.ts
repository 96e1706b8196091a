import type { Item } from '../data/item.ts';

/** Equal for items of one kind, label and place (or text and ends, where they have no place), and for no others. */
export function itemKey(item: Item): string {
  const { kind, label, start, end, source, target } = item;
  return JSON.stringify([kind, label, start, end, start >= 0 ? null : item.text, source, target]);
}
