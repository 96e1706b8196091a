const WINDOW_MS = 60_000;
/** So many slices hold a window, however many items are done in it. */
const SLICES = 60;
/** Slow work is looked back on until there are this many: two answers a minute make no rate of the last minute. */
const LEAST = 10;
const LEAST_MS = 1000;

/** How fast work goes and how long it will take, from what was done lately. */
export class Pace {
  /** When the first and the last of each were done, and how many. */
  readonly #slices: { readonly from: number; to: number; count: number }[] = [];
  #since = performance.now();
  #count = 0;

  /** Work that was done just now. What was done before this run began does not belong here. */
  add(count = 1): void {
    const now = performance.now();
    let slice = this.#slices.at(-1);
    if (slice === undefined || now - slice.from >= WINDOW_MS / SLICES)
      this.#slices.push((slice = { from: now, to: now, count: 0 }));
    slice.to = now;
    slice.count += count;
    this.#count += count;
    this.#forget(now);
  }

  /** Null while unknown: nothing is done yet, or it has only just begun. */
  perSecond(): number | null {
    const now = performance.now();
    this.#forget(now);
    const ms = now - this.#since;
    return this.#count === 0 || ms < LEAST_MS ? null : (this.#count / ms) * 1000;
  }

  /** How long so much more will take; null while unknown. */
  leftMs(remaining: number): number | null {
    const rate = this.perSecond();
    if (remaining <= 0) return 0;
    return rate === null ? null : (remaining / rate) * 1000;
  }

  #forget(now: number): void {
    for (const { to, count } of this.#slices.slice()) {
      if (to > now - WINDOW_MS || this.#count - count < LEAST) return;
      this.#slices.shift();
      this.#count -= count;
      this.#since = to;
    }
  }
}
