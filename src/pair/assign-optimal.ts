import { linkEdges } from './assign-optimal-graph.ts';
import { placeGold } from './assign-optimal-search.ts';
import type { Edge } from './edge.ts';

/**
 * One to one, with the highest total similarity there is, exactly; of equal totals the one with
 * more pairs, so that a pair with similarity 0 is made when it costs nothing; of those the one with
 * the lower total preference. An item may stay alone. What is still equal is settled by position
 * (an earlier gold item keeps its place), so that the result depends on the set of edges and not on
 * the order of `edges`. The result is in gold order.
 *
 * Unlike in the other algorithms, similarity counts before preference.
 *
 * Similarities are counted in whole units of 1 / 144,403,552,893,600, about 2^-47 (of the highest
 * similarity, where that is above 1), however many items there are. Fractions with denominators up
 * to 36 are exact; of others, totals that differ by less than a unit per pair may be held equal.
 *
 * Method: shortest augmenting paths with prices (the sparse Hungarian method; Edmonds and Karp
 * 1972, Jonker and Volgenant 1987). Gold items are placed one by one, and a search follows edges
 * only: it never leaves the connected component of its item, an item without rivals is placed at
 * once, and the cost grows with the overlaps and not with the product of the lists. At most
 * O(gold x edges x log predicted).
 *
 * Example: similarities g0-p0 0.6, g0-p1 0.5, g1-p0 0.5 give g0-p1 and g1-p0, total 1.0.
 */
export function assignOptimal<E extends Edge>(edges: readonly E[]): E[] {
  const golds = linkEdges(edges);
  for (const gold of golds) placeGold(gold);
  return golds.flatMap(({ chosen }) => (chosen === undefined ? [] : [chosen.edge]));
}
