import { assignOptimal, requireUsable } from './assign-optimal.ts';
import type { Edge } from './pairing.ts';

/** How the pairs are chosen where several are possible. */
export type Assign = 'greedy' | 'in-order' | 'optimal' | 'every';

/** Options that a way to assign does not know leave it as it is. */
interface AssignOptions {
  /** In order: of the free predicted items with the lowest preference take the first, not the most similar. */
  readonly firstOfKind?: boolean | undefined;
  /** Optimal: what a pair with a similarity under 1 is worth; one with 1 is worth 1. */
  readonly partial?: number | undefined;
}

/**
 * Chooses among `edges` so that no gold item is chosen twice, and returns the chosen ones, the same objects, in gold order.
 * The order of `edges` has no influence.
 *
 * - `greedy`: one to one, best first: lower preference, then higher similarity, then lower gold position, then lower
 *   predicted position. No edge is left whose two ends are both free. A good early pair can block two others: with
 *   similarities g0-p0 0.6, g0-p1 0.5 and g1-p0 0.5 it takes g0-p0 alone, where `optimal` takes the other two.
 * - `in-order`: one to one: each gold item, in its order, takes its best predicted item that is still free: lower
 *   preference, then (unless `firstOfKind`) higher similarity, then lower predicted position. An early gold item can take
 *   what suits a later one better: with similarities g0-p0 0.6 and g1-p0 0.9 it takes g0-p0.
 * - `optimal`: one to one, with the highest total credit there is.
 * - `every`: each predicted item, in its order, takes every gold item that is still free and that it has an edge to. Not a
 *   sound way to count, since one long prediction scores as many hits as it touches gold items; it reproduces the program
 *   behind the published figures of `pii/piranha`, which did not stop at the first match.
 */
export function assign<E extends Edge>(
  way: Assign,
  edges: readonly E[],
  { firstOfKind = false, partial = 1 }: AssignOptions = {},
): E[] {
  if (way === 'optimal') edges.forEach(requireUsable);
  const goldTimes: number[] = [];
  const predictedTimes: number[] = [];
  for (const { gold, predicted } of edges) {
    goldTimes[gold] = (goldTimes[gold] ?? 0) + 1;
    predictedTimes[predicted] = (predictedTimes[predicted] ?? 0) + 1;
  }
  // An edge whose two items have no other is chosen in any case, and most documents have no rivals.
  const isAlone = ({ gold, predicted }: Edge): boolean => goldTimes[gold] === 1 && predictedTimes[predicted] === 1;
  const chosen = edges.filter(isAlone);
  if (chosen.length < edges.length) {
    const rivals = edges.filter((edge) => !isAlone(edge));
    const turn = way === 'in-order' && firstOfKind ? 'first-of-kind' : way;
    for (const edge of turn === 'optimal' ? assignOptimal(rivals, partial) : takeTurns(turn, rivals)) chosen.push(edge);
  }
  return chosen.sort(byGold);
}

type Order = (a: Edge, b: Edge) => number;

const byGold: Order = (a, b) => a.gold - b.gold;
const byPredicted: Order = (a, b) => a.predicted - b.predicted;
const byPreference: Order = (a, b) => a.preference - b.preference;
const byRank: Order = (a, b) => byPreference(a, b) || b.similarity - a.similarity;

/** Which edges have their turn first. */
const ORDERS = {
  greedy: (a, b) => byRank(a, b) || byGold(a, b) || byPredicted(a, b),
  'in-order': (a, b) => byGold(a, b) || byRank(a, b) || byPredicted(a, b),
  'first-of-kind': (a, b) => byGold(a, b) || byPreference(a, b) || byPredicted(a, b) || byRank(a, b),
  every: (a, b) => byPredicted(a, b) || byGold(a, b) || byRank(a, b),
} satisfies Record<string, Order>;

function takeTurns<E extends Edge>(turn: keyof typeof ORDERS, edges: readonly E[]): E[] {
  const goldTaken: boolean[] = [];
  const predictedTaken: boolean[] = [];
  return edges.toSorted(ORDERS[turn]).filter(({ gold, predicted }) => {
    if (goldTaken[gold] || (predictedTaken[predicted] && turn !== 'every')) return false;
    goldTaken[gold] = predictedTaken[predicted] = true;
    return true;
  });
}
