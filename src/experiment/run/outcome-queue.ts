import type { ItemOutcome } from './scorer.ts';

/** Further answers are not asked for while so many wait for an earlier item's: they are held in memory. */
const MOST_WAITING = 1000;

type Slot = () => Promise<ItemOutcome | null>;

/** Hands outcomes on in the order in which they were put in, each as soon as it is known; those without one are skipped. */
export class OutcomeQueue implements AsyncIterable<ItemOutcome> {
  #slots: Slot[] = [];
  #isRead = true;
  #isEnded = false;
  #fault: Error | null = null;
  #change = Promise.withResolvers<void>();

  /** Waits while there are too many; what nobody reads any more is dropped. */
  async put(slot: Slot): Promise<void> {
    while (this.#isRead && this.#slots.length >= MOST_WAITING) await this.#change.promise;
    if (this.#isRead) this.#slots.push(slot);
    this.#changed();
  }

  /** No more will come; a fault is thrown to whoever reads. */
  end(fault: Error | null = null): void {
    this.#isEnded = true;
    this.#fault = fault;
    this.#changed();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOutcome> {
    try {
      while (!this.#isEnded || this.#slots.length > 0) {
        if (this.#fault !== null) break;
        const slot = this.#slots.shift();
        if (slot === undefined) await this.#change.promise;
        else {
          this.#changed();
          const outcome = await slot();
          if (outcome !== null) yield outcome;
        }
      }
      if (this.#fault !== null) throw this.#fault;
    } finally {
      this.#isRead = false;
      this.#slots = [];
      this.#changed();
    }
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }
}
