/** Numbered things, each a separate set until sets are joined. */
export class DisjointSets {
  /** Of those that were joined to another. */
  readonly #parents = new Map<number, number>();

  /** The one that stands for the set. */
  rootOf(one: number): number {
    let root = one;
    for (let up = this.#parents.get(root); up !== undefined; up = this.#parents.get(root)) root = up;
    if (root !== one) this.#parents.set(one, root);
    return root;
  }

  /** Makes one set of two, for which the root of `first` stands. */
  join(first: number, second: number): void {
    const [root, other] = [this.rootOf(first), this.rootOf(second)];
    if (root !== other) this.#parents.set(other, root);
  }
}
