import { Evidence } from '../../evidence.ts';

/** Sets that are kept in mind; in a set of this many different answers none is given often. */
const MOST_SETS = 200_000;

/** A set of items that some cases have, with what is counted of it. */
export interface MetSet<Counts> {
  cases: number;
  readonly counts: Counts;
  readonly firstCase: string;
  /** From the second case on: most sets are met once, and nothing of them is kept. */
  evidence: Evidence | null;
}

/** Sets of items by what they say, to see which come again in case after case. */
export class MetSets<Counts> {
  readonly #sets = new Map<number, MetSet<Counts>>();

  /** One more case that has the set; null where there are too many sets to keep another. */
  meet(key: number, id: string, first: () => Counts): MetSet<Counts> | null {
    let met = this.#sets.get(key);
    if (met === undefined) {
      if (this.#sets.size >= MOST_SETS) return null;
      met = { cases: 0, counts: first(), firstCase: id, evidence: null };
      this.#sets.set(key, met);
    }
    met.cases += 1;
    if (met.cases > 1 && met.evidence === null) {
      met.evidence = new Evidence();
      met.evidence.addCase(met.firstCase);
    }
    return met;
  }

  list(): MetSet<Counts>[] {
    return [...this.#sets.values()];
  }
}
