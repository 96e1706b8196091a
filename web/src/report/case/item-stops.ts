import type { CaseItems } from './case-items.ts';
import { itemRows } from './item-rows.ts';
import { ALL_SHOWN, marksOf } from './marks.ts';

/** One thing to come to: the item that is picked there, and all that it stands for. */
export interface ItemStop {
  readonly id: string;
  readonly keys: readonly string[];
}

/** The items of a case in the order in which keys step through them: in text order, then all others. */
export function itemStops(items: CaseItems, names: readonly string[]): readonly ItemStop[] {
  const marks = marksOf(items, ALL_SHOWN, names).flatMap(({ selects, keys, piece }) =>
    piece === 0 ? [{ id: selects, keys }] : [],
  );
  const marked = new Set(marks.flatMap(({ keys }) => keys));
  const rest = itemRows(items).flatMap(({ line }): ItemStop[] => {
    const keys = [line.gold, line.predicted].flatMap((side) => side?.key ?? []);
    const [id] = keys;
    return id === undefined || keys.some((key) => marked.has(key)) ? [] : [{ id, keys }];
  });
  return [...marks, ...rest];
}

/** The stop after the selected one, or before it; the first where none is selected. */
export function nextStop(stops: readonly ItemStop[], selected: string | null, by: 1 | -1): string | null {
  const at = selected === null ? -1 : stops.findIndex(({ keys }) => keys.includes(selected));
  return stops[Math.min(stops.length - 1, Math.max(0, at + by))]?.id ?? null;
}
