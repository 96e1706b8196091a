import { byGold, type Edge } from './edge.ts';

/**
 * Each predicted item, in its order, takes every gold item that is still free and that it has an
 * edge to. A gold item is taken once, a predicted item may take several. The result is in gold
 * order; the order of `edges` has no influence.
 *
 * This is not a sound way to count: one long prediction scores as many hits as it touches gold
 * items. It is here to reproduce the program behind the published figures of `pii/piranha`, which
 * tried each prediction against every free gold span and did not stop at the first match.
 */
export function assignEvery<E extends Edge>(edges: readonly E[]): E[] {
  const goldTaken: boolean[] = [];
  const chosen: E[] = [];
  for (const edge of edges.toSorted(byPredicted)) {
    if (goldTaken[edge.gold]) continue;
    goldTaken[edge.gold] = true;
    chosen.push(edge);
  }
  return chosen.sort(byGold);
}

function byPredicted(a: Edge, b: Edge): number {
  return a.predicted - b.predicted || a.gold - b.gold || a.preference - b.preference || b.similarity - a.similarity;
}
