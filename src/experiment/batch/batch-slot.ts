import { AsyncLocalStorage } from 'node:async_hooks';

/** Opens a `fetch` for the models of a provider; the key is removed from what its server reports. */
export interface BatchFetch {
  fetchFor(provider: string, key: string | null): typeof globalThis.fetch;
}

/** The piece of work that calls belong to: the same call of another repeat or another attempt is a separate request. */
export interface BatchSlot {
  readonly name: string;
  /** How often a request has been answered within the slot, by its hash: the next time is another request. */
  readonly answered: Map<string, number>;
  /** The batch that the last answer came from; null after a single call. */
  batch: string | null;
}

const slots = new AsyncLocalStorage<BatchSlot>();

export function batchSlot(name: string): BatchSlot {
  return { name, answered: new Map(), batch: null };
}

export function currentSlot(): BatchSlot | null {
  return slots.getStore() ?? null;
}

/** Calls that are made inside belong to the slot. */
export function inSlot<T>(slot: BatchSlot | null, work: () => Promise<T>): Promise<T> {
  return slot === null ? work() : slots.run(slot, work);
}

/** One call, and the batch that answered it: a slot may have several calls out at once. */
export async function withBatchOf<T>(
  call: () => Promise<T>,
): Promise<{ readonly value: T; readonly batch: string | null }> {
  const outer = slots.getStore();
  const own: BatchSlot = {
    name: outer?.name ?? '',
    answered: outer?.answered ?? new Map<string, number>(),
    batch: null,
  };
  try {
    const value = await slots.run(own, call);
    return { value, batch: own.batch };
  } finally {
    if (outer !== undefined) outer.batch = own.batch;
  }
}
