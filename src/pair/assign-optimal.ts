import { linkEdges, requireUsable } from './assign-optimal-graph.ts';
import { placeGold } from './assign-optimal-search.ts';
import { byGold, type Edge, nothingIsShared } from './edge.ts';

export interface OptimalOptions {
  /** What a pair with a similarity under 1 is worth; one with 1 is worth 1. */
  readonly partial?: number | undefined;
}

/**
 * One to one, with the highest total credit there is: where every pair is worth the same, the largest number of pairs. Of
 * equal credit the highest total similarity, then more pairs, then the lower total preference. What is still equal is
 * settled by position (an earlier gold item keeps its place, but for one in about 32 of a long list), so that the result
 * depends on the set of edges and not on the order of `edges`. The result is in gold order.
 *
 * Unlike in the other algorithms, similarity counts before preference.
 *
 * Similarities are counted in whole units (of the highest similarity, where that is above 1), the smaller the fewer pairs
 * there can be. Fractions with denominators up to 36 are exact with up to 13 pairs, up to 28 with 20,000; of others,
 * totals that differ by less than a unit per pair may be held equal.
 *
 * Method: shortest augmenting paths with prices (the sparse Hungarian method; Edmonds and Karp
 * 1972, Jonker and Volgenant 1987). Gold items are placed one by one, and a search follows edges
 * only: it never leaves the connected component of its item, an item without rivals is placed at
 * once, and the cost grows with the overlaps and not with the product of the lists. At most
 * O(gold x edges x log predicted).
 *
 * Example: similarities g0-p0 0.9, g0-p1 0.2, g1-p0 0.2 give g0-p1 and g1-p0: two pairs, not the best one alone.
 */
export function assignOptimal<E extends Edge>(edges: readonly E[], { partial = 1 }: OptimalOptions = {}): E[] {
  edges.forEach(requireUsable);
  if (nothingIsShared(edges)) return edges.toSorted(byGold);
  const { alone, rivals } = byRivalry(edges);
  const golds = linkEdges(rivals, partial);
  const levels = new Map(golds.map((gold, at) => [gold, levelOf(at)]));
  for (const gold of golds.toSorted((a, b) => levels.get(a)! - levels.get(b)!)) placeGold(gold);
  const chosen = golds.flatMap((gold) => (gold.chosen === undefined ? [] : [gold.chosen.edge]));
  return [...alone, ...chosen].sort(byGold);
}

/** Edges whose two items have no other, which are chosen in any case, and the rest. */
function byRivalry<E extends Edge>(edges: readonly E[]): { readonly alone: E[]; readonly rivals: E[] } {
  const ofGold: number[] = [];
  const ofPredicted: number[] = [];
  for (const { gold, predicted } of edges) {
    ofGold[gold] = (ofGold[gold] ?? 0) + 1;
    ofPredicted[predicted] = (ofPredicted[predicted] ?? 0) + 1;
  }
  const alone: E[] = [];
  const rivals: E[] = [];
  for (const edge of edges) (ofGold[edge.gold] === 1 && ofPredicted[edge.predicted] === 1 ? alone : rivals).push(edge);
  return { alone, rivals };
}

/**
 * Where spans lie in a row and each overlaps the next, a search may follow the row as far as it is placed. So a few items,
 * spread evenly whatever the pattern of the row (multiples of the golden ratio), wait until the stretches between them
 * are placed, and half of these wait longer: the searches together take n log n steps and not n².
 */
function levelOf(position: number): number {
  return Math.max(0, Math.clz32(Math.imul(position + 1, 0x9e3779b1)) - 5);
}
