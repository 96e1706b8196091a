import { byGold, type Edge, nothingIsShared } from './edge.ts';

/**
 * One to one, best first: lower preference, then higher similarity, then lower gold position, then
 * lower predicted position. No edge is left whose two ends are both free. The result is in gold
 * order; the order of `edges` has no influence.
 *
 * A good early pair can block two others: with similarities g0-p0 0.6, g0-p1 0.5 and g1-p0 0.5 it
 * takes g0-p0 alone, where `assignOptimal` takes the other two.
 */
export function assignGreedy<E extends Edge>(edges: readonly E[]): E[] {
  if (nothingIsShared(edges)) return edges.toSorted(byGold);
  const goldTaken: boolean[] = [];
  const predictedTaken: boolean[] = [];
  const chosen: E[] = [];
  for (const edge of edges.toSorted(bestFirst)) {
    if (goldTaken[edge.gold] || predictedTaken[edge.predicted]) continue;
    goldTaken[edge.gold] = true;
    predictedTaken[edge.predicted] = true;
    chosen.push(edge);
  }
  return chosen.sort(byGold);
}

function bestFirst(a: Edge, b: Edge): number {
  return a.preference - b.preference || b.similarity - a.similarity || a.gold - b.gold || a.predicted - b.predicted;
}
