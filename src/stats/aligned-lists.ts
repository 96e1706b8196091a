import { DisjointSets } from '../text/disjoint-sets.ts';

/** An entry of one of several lists over a text: what a run found, an annotator marked or a reviewer sees. */
export interface ListEntry {
  readonly list: number;
}

/**
 * Sets several lists beside each other: entries that are linked, directly or by way of others, are one thing. With
 * `onePerList` the first links count most: one that would give a list two entries of a thing is passed over. Things come
 * in the order of their first entries, as the places of their entries.
 * Example: lists [a, b] and [c], a linked with c: the things [a, c] and [b].
 */
export function alignLists(
  entries: readonly ListEntry[],
  links: Iterable<readonly [number, number]>,
  { onePerList = false }: { readonly onePerList?: boolean } = {},
): number[][] {
  const sets = new DisjointSets();
  const lists = entries.map(({ list }) => new Set([list]));
  for (const [a, b] of links) {
    const [first, second] = [sets.rootOf(a), sets.rootOf(b)];
    if (first === second || (onePerList && !lists[first]!.isDisjointFrom(lists[second]!))) continue;
    lists[first] = lists[first]!.union(lists[second]!);
    sets.join(first, second);
  }
  return [...Map.groupBy(entries.keys(), (at) => sets.rootOf(at)).values()];
}

/** Every two of some lists, in order: 0 and 1, 0 and 2, 1 and 2. */
export function everyTwo(lists: number): [number, number][] {
  return Array.from({ length: lists }, (_, one) => one).flatMap((one) =>
    Array.from({ length: lists - one - 1 }, (_, next): [number, number] => [one, one + 1 + next]),
  );
}
