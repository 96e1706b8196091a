import { assignOptimal, type OptimalOptions } from './assign-optimal.ts';
import { byGold, type Edge, nothingIsShared } from './edge.ts';

/** How the pairs are chosen where several are possible. */
export type Assign = 'greedy' | 'in-order' | 'optimal' | 'every';

/** `firstOfKind`: of the free predicted items with the lowest preference take the first, not the most similar. */
type InOrderOptions = Readonly<{ firstOfKind?: boolean | undefined }>;

/** Options that an algorithm does not know leave it as it is. */
export type AssignOptions = InOrderOptions & OptimalOptions;

/**
 * Chooses among `edges` so that no gold item is chosen twice, and returns the chosen ones, the same objects, in gold order.
 * The order of `edges` has no influence.
 */
export type Assigner = <E extends Edge>(edges: readonly E[], options?: AssignOptions) => E[];

export const assigners: Readonly<Record<Assign, Assigner>> = {
  greedy: assignGreedy,
  'in-order': assignInOrder,
  optimal: assignOptimal,
  every: assignEvery,
};

export function assign<E extends Edge>(name: Assign, edges: readonly E[], options?: AssignOptions): E[] {
  return assigners[name](edges, options);
}

/**
 * One to one, best first: lower preference, then higher similarity, then lower gold position, then lower predicted
 * position. No edge is left whose two ends are both free. A good early pair can block two others: with similarities g0-p0
 * 0.6, g0-p1 0.5 and g1-p0 0.5 it takes g0-p0 alone, where `assignOptimal` takes the other two.
 */
export function assignGreedy<E extends Edge>(edges: readonly E[]): E[] {
  return assignInTurn(edges, (a, b) => byRank(a, b) || a.gold - b.gold || a.predicted - b.predicted);
}

/**
 * One to one: each gold item, in its order, takes its best predicted item that is still free: lower preference, then
 * (unless `firstOfKind`) higher similarity, then lower predicted position. An early gold item can take what suits a later
 * one better: with similarities g0-p0 0.6 and g1-p0 0.9 it takes g0-p0.
 */
export function assignInOrder<E extends Edge>(edges: readonly E[], { firstOfKind = false }: InOrderOptions = {}): E[] {
  const firstPredicted = (a: Edge, b: Edge): number => a.preference - b.preference || a.predicted - b.predicted;
  const best = firstOfKind ? firstPredicted : byRank;
  return assignInTurn(edges, (a, b) => a.gold - b.gold || best(a, b) || a.predicted - b.predicted || byRank(a, b));
}

/**
 * Each predicted item, in its order, takes every gold item that is still free and that it has an edge to: it may take
 * several. Not a sound way to count, since one long prediction scores as many hits as it touches gold items; it reproduces
 * the program behind the published figures of `pii/piranha`, which did not stop at the first match.
 */
export function assignEvery<E extends Edge>(edges: readonly E[]): E[] {
  return assignInTurn(edges, (a, b) => a.predicted - b.predicted || a.gold - b.gold || byRank(a, b), true);
}

/** Takes one edge after the other whose gold item is still free and, unless it may take several, its predicted one. */
function assignInTurn<E extends Edge>(edges: readonly E[], order: (a: E, b: E) => number, takesSeveral = false): E[] {
  if (nothingIsShared(edges)) return edges.toSorted(byGold);
  const goldTaken: boolean[] = [];
  const predictedTaken: boolean[] = [];
  const chosen: E[] = [];
  for (const edge of edges.toSorted(order)) {
    if (goldTaken[edge.gold] || (predictedTaken[edge.predicted] && !takesSeveral)) continue;
    goldTaken[edge.gold] = true;
    predictedTaken[edge.predicted] = true;
    chosen.push(edge);
  }
  return chosen.sort(byGold);
}

/** Lower preference, then higher similarity. */
function byRank(a: Edge, b: Edge): number {
  return a.preference - b.preference || b.similarity - a.similarity;
}
