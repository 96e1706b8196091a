const LEAST_MS = 2000;
/** An answer that took a second is kept for ten: only a small part of the time goes into it. */
const TIMES_ITS_COST = 10;

interface Kept<T> {
  readonly answer: Promise<T>;
  until: number;
}

/**
 * Keeps what is costly to work out for a while: however many pages are open, it is worked out once, and not at the cost of
 * those who save. What it says may be as old as that.
 */
export class KeptAnswers<T> {
  readonly #clock: () => number;
  readonly #kept = new Map<string, Kept<T>>();

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  get(key: string, make: () => Promise<T>): Promise<T> {
    const began = this.#clock();
    const known = this.#kept.get(key);
    if (known !== undefined && began < known.until) return known.answer;
    const kept: Kept<T> = { answer: make(), until: Infinity };
    this.#kept.set(key, kept);
    kept.answer.then(
      () => {
        const ended = this.#clock();
        kept.until = ended + Math.max(LEAST_MS, TIMES_ITS_COST * (ended - began));
      },
      // Whoever asks next tries again.
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
