import { assignEvery } from './assign-every.ts';
import { assignGreedy } from './assign-greedy.ts';
import { assignInOrder, type InOrderOptions } from './assign-in-order.ts';
import { assignOptimal, type OptimalOptions } from './assign-optimal.ts';
import type { Edge } from './edge.ts';

/** How the pairs are chosen where several are possible. */
export type Assign = 'greedy' | 'in-order' | 'optimal' | 'every';

/** Options that an algorithm does not know leave it as it is. */
export type AssignOptions = InOrderOptions & OptimalOptions;

/**
 * Chooses among `edges` so that no gold item is chosen twice, and returns the chosen ones, the same
 * objects, in gold order. The order of `edges` has no influence.
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
