interface Kept<T> {
  readonly answer: Promise<T>;
  until: number;
}

export interface KeepFor {
  readonly leastMs: number;
  /** With 10, an answer that took a second is kept for ten: only a small part of the time goes into it. */
  readonly timesItsCost: number;
}

/**
 * Keeps what is costly to work out for a while: however many pages are open, it is worked out once, and not at the cost of
 * requests that save. It may be as old as that.
 */
export class KeptAnswers<T> {
  readonly #keep: KeepFor;
  readonly #clock: () => number;
  readonly #kept = new Map<string, Kept<T>>();

  constructor(keep: KeepFor = { leastMs: 2000, timesItsCost: 10 }, clock: () => number = () => performance.now()) {
    this.#keep = keep;
    this.#clock = clock;
  }

  /** With `fresh` only an answer that is being worked out right now will do: never two of one key at a time. */
  get(key: string, make: () => Promise<T>, fresh = false): Promise<T> {
    const began = this.#clock();
    const known = this.#kept.get(key);
    if (known !== undefined && (fresh ? known.until === Infinity : began < known.until)) return known.answer;
    const kept: Kept<T> = { answer: make(), until: Infinity };
    this.#kept.set(key, kept);
    kept.answer.then(
      () => {
        const ended = this.#clock();
        kept.until = ended + Math.max(this.#keep.leastMs, this.#keep.timesItsCost * (ended - began));
      },
      // The next request tries again.
      () => {
        kept.until = 0;
      },
    );
    return kept.answer;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}
