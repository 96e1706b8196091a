import type { ItemKind } from '../../data/item.ts';

const SEVERAL: Readonly<Partial<Record<ItemKind, string>>> = { entity: 'entities', class: 'classes' };

/** Items of a kind, as a title names them. */
export function kindName(kind: ItemKind): string {
  return SEVERAL[kind] ?? `${kind}s`;
}
