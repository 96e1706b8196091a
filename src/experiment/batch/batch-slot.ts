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
  /** How long that single call took, without the wait for a batch that did not answer; null if there was none. */
  singleMs: number | null;
  /** An answer may have been paid for, and cannot be read: the work is neither done nor has it failed. */
  isUnread: boolean;
  /** Waited for before a single call. */
  readonly begin: () => Promise<void>;
}

const slots = new AsyncLocalStorage<BatchSlot>();

export function batchSlot(name: string, begin: () => Promise<void> = () => Promise.resolve()): BatchSlot {
  return { name, answered: new Map(), batch: null, singleMs: null, isUnread: false, begin };
}

export function currentSlot(): BatchSlot | null {
  return slots.getStore() ?? null;
}

/** Calls that are made inside belong to the slot. */
export function inSlot<T>(slot: BatchSlot | null, work: () => Promise<T>): Promise<T> {
  return slot === null ? work() : slots.run(slot, work);
}

/** One call, and the time that the model took for it: null if a batch answered. A slot may have several calls out. */
export async function withModelTime<T extends { readonly latencyMs: number }>(
  call: () => Promise<{ readonly value: T; readonly attempts: number }>,
) {
  const outer = slots.getStore();
  const own: BatchSlot = {
    ...batchSlot(outer?.name ?? '', outer?.begin),
    ...(outer === undefined ? {} : { answered: outer.answered }),
  };
  try {
    const { value, attempts } = await slots.run(own, call);
    const latencyMs = own.batch === null ? (own.singleMs ?? value.latencyMs) : null;
    return { value, attempts, latencyMs };
  } finally {
    if (outer !== undefined) Object.assign(outer, { batch: own.batch, isUnread: own.isUnread || outer.isUnread });
  }
}
