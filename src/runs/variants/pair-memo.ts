/** What was worked out for two objects, kept until it is cleared. */
export class PairMemo<T> {
  readonly #known = new Map<object, Map<object, T>>();

  /** The value for the two; made where it is asked for the first time. */
  of(first: object, second: object, make: () => T): T {
    let inner = this.#known.get(first);
    if (inner === undefined) this.#known.set(first, (inner = new Map<object, T>()));
    const known = inner.get(second);
    if (known !== undefined) return known;
    const made = make();
    inner.set(second, made);
    return made;
  }

  clear(): void {
    this.#known.clear();
  }
}
