import type { Item } from '../../data/item.ts';
import { contentOrder } from '../../pair/places.ts';
import { compareText } from '../../text/compare.ts';
import type { Likeness } from './likeness.ts';
import { DisjointSets } from '../../text/disjoint-sets.ts';

/** One thing that was found, with the item of each run; null for a run that does not have it. */
export type ItemGroup = readonly (Item | null)[];

/** A group while it grows. */
interface Growing {
  readonly key: string;
  readonly values: string;
  members: (Item | null)[];
}

/**
 * Brings together what several runs found in one case: at most one item of each run in a group.
 *
 * 1. Items that are the same to the pairing, and have the same attributes, go together; then those with other attributes.
 * 2. Of all pairs of groups that the recipe's pairing would accept the most alike are joined first, as long as no run
 *    is in both: it is enough that one item of each is alike.
 *
 * Every tie goes by content, so the order of the runs and of their items does not show; items of one run that are equal
 * in everything are interchangeable.
 */
export function groupItems(
  runs: readonly (readonly Item[])[],
  likeness: Likeness,
  valuesOf: (item: Item) => string,
): ItemGroup[] {
  const groups = equalItems(runs, likeness, valuesOf);
  const sets = new DisjointSets();
  for (const { a, b } of alikePairs(groups, likeness)) {
    const [first, second] = [sets.rootOf(a), sets.rootOf(b)];
    if (first === second || !areApart(groups[first]!, groups[second]!)) continue;
    groups[first]!.members = joined(groups[first]!, groups[second]!);
    sets.join(first, second);
  }
  return groups.filter((_, at) => sets.isRoot(at)).map(({ members }) => members);
}

/** Groups of equal items, in an order that depends on their content alone. */
function equalItems(
  runs: readonly (readonly Item[])[],
  likeness: Likeness,
  valuesOf: (item: Item) => string,
): Growing[] {
  const found = new Map<string, Growing>();
  runs.forEach((items, run) => {
    const seen = new Map<string, number>();
    for (const item of contentOrder(items)) {
      const key = likeness.keyOf(item);
      const values = valuesOf(item);
      const same = JSON.stringify([key, values]);
      const nth = seen.get(same) ?? 0;
      seen.set(same, nth + 1);
      const place = `${same} ${nth}`;
      let group = found.get(place);
      if (group === undefined) found.set(place, (group = { key, values, members: runs.map(() => null) }));
      group.members[run] = item;
    }
  });
  const out: Growing[] = [];
  const byKey = Map.groupBy(
    [...found.values()].sort(
      (a, b) => compareText(a.key, b.key) || sizeOf(b) - sizeOf(a) || compareText(a.values, b.values),
    ),
    ({ key }) => key,
  );
  for (const same of byKey.values()) {
    const kept: Growing[] = [];
    for (const group of same) {
      const other = kept.find((earlier) => areApart(earlier, group));
      if (other === undefined) kept.push(group);
      else other.members = joined(other, group);
    }
    out.push(...kept);
  }
  return out;
}

/** The pairs of groups that the recipe would pair, the most alike first. */
function alikePairs(groups: readonly Growing[], likeness: Likeness): { a: number; b: number }[] {
  // Equal keys mean equal in the eyes of the pairing: one of the items speaks for the group.
  const speakers = groups.map(({ members }) => members.find((item) => item !== null)!);
  const { gold, predicted } = likeness.candidates(speakers);
  const pairs: { a: number; b: number; preference: number; similarity: number }[] = [];
  for (let at = 0; at < gold.length; at += 1) {
    const a = gold[at]!;
    const b = predicted[at]!;
    if (a >= b || !areApart(groups[a]!, groups[b]!)) continue;
    const alike = likeness.compare(speakers[a]!, speakers[b]!);
    if (alike !== null) pairs.push({ a, b, preference: alike.preference, similarity: alike.similarity });
  }
  return pairs.sort((x, y) => x.preference - y.preference || y.similarity - x.similarity || x.a - y.a || x.b - y.b);
}

function sizeOf({ members }: Growing): number {
  return members.reduce((sum, item) => sum + (item === null ? 0 : 1), 0);
}

function areApart(a: Growing, b: Growing): boolean {
  return a.members.every((item, run) => item === null || b.members[run] === null);
}

function joined(a: Growing, b: Growing): (Item | null)[] {
  return a.members.map((item, run) => item ?? b.members[run] ?? null);
}
