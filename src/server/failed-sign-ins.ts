const WINDOW_MS = 60_000;
/** So that no one can fill the memory by coming from ever other addresses. */
const MOST_ADDRESSES = 10_000;

/**
 * Counts the links that were refused, by address. Whoever has a good link is let in whatever others do from the same
 * address: many reviewers may stand behind one.
 */
export class FailedSignIns {
  readonly #most: number;
  readonly #now: () => Date;
  readonly #counts = new Map<string, { readonly since: number; count: number }>();

  constructor(most: number, now: () => Date) {
    this.#most = most;
    this.#now = now;
  }

  /** Notes one more; whether that is too many for a minute. */
  isTooMany(address: string): boolean {
    const now = this.#now().getTime();
    const known = this.#counts.get(address);
    if (known !== undefined && now - known.since < WINDOW_MS) {
      known.count += 1;
      return known.count > this.#most;
    }
    // Those that began first stand first.
    this.#counts.delete(address);
    if (this.#counts.size >= MOST_ADDRESSES) this.#counts.delete(this.#counts.keys().next().value ?? '');
    this.#counts.set(address, { since: now, count: 1 });
    return this.#most < 1;
  }
}
