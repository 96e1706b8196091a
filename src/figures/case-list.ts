/** Ids that a figure names of all the cases behind it; the rest are counted. */
const MOST_SHOWN = 200;

/** The cases behind a figure: how many, and the first of them in the order they were scored. */
export class CaseList {
  #total = 0;
  readonly #shown: string[] = [];

  /** A case is added once. */
  add(id: string): void {
    this.#total += 1;
    if (this.#shown.length < MOST_SHOWN) this.#shown.push(id);
  }

  list(): { readonly total: number; readonly shown: readonly string[] } {
    return { total: this.#total, shown: this.#shown };
  }
}
