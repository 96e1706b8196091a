import type { Edge } from './edge.ts';

export interface InOrderOptions {
  /** Of the free predicted items with the lowest preference take the first, not the most similar. */
  readonly firstOfKind?: boolean | undefined;
}

/**
 * One to one: each gold item, in its order, takes its best predicted item that is still free: lower
 * preference, then (unless `firstOfKind`) higher similarity, then lower predicted position. The
 * result is in gold order; the order of `edges` has no influence.
 *
 * An early gold item can take what suits a later one better: with similarities g0-p0 0.6 and g1-p0
 * 0.9 it takes g0-p0.
 */
export function assignInOrder<E extends Edge>(edges: readonly E[], { firstOfKind = false }: InOrderOptions = {}): E[] {
  const goldTaken: boolean[] = [];
  const predictedTaken: boolean[] = [];
  const chosen: E[] = [];
  for (const edge of edges.toSorted(firstOfKind ? firstPredictedFirst : mostSimilarFirst)) {
    if (goldTaken[edge.gold] || predictedTaken[edge.predicted]) continue;
    goldTaken[edge.gold] = true;
    predictedTaken[edge.predicted] = true;
    chosen.push(edge);
  }
  return chosen;
}

function mostSimilarFirst(a: Edge, b: Edge): number {
  return a.gold - b.gold || a.preference - b.preference || b.similarity - a.similarity || a.predicted - b.predicted;
}

function firstPredictedFirst(a: Edge, b: Edge): number {
  return a.gold - b.gold || a.preference - b.preference || a.predicted - b.predicted || b.similarity - a.similarity;
}
