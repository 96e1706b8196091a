/** Fewer than this are looked through one by one, which takes less than making maps of them. */
const FEW = 8;

/** What was worked out for two objects, kept until it is cleared. */
export class PairMemo<T> {
  readonly #few: { readonly first: object; readonly second: object; readonly value: T }[] = [];
  readonly #many = new Map<object, Map<object, T>>();

  /** The value for the two; made where it is asked for the first time. */
  of(first: object, second: object, make: () => T): T {
    for (const one of this.#few) if (one.first === first && one.second === second) return one.value;
    if (this.#few.length < FEW) {
      const value = make();
      this.#few.push({ first, second, value });
      return value;
    }
    let inner = this.#many.get(first);
    if (inner === undefined) this.#many.set(first, (inner = new Map<object, T>()));
    const known = inner.get(second);
    if (known !== undefined) return known;
    const made = make();
    inner.set(second, made);
    return made;
  }

  clear(): void {
    this.#few.length = 0;
    // Clearing makes a new table, also where there was nothing.
    if (this.#many.size > 0) this.#many.clear();
  }
}
