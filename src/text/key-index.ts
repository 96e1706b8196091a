/** Numbers keys in the order in which they are first met. Flat lists hold them: 16 to 32 bytes a key, and no objects. */
export class KeyIndex {
  #keys = new Float64Array(64);
  /** For each place that a key hashes to, the number of the key there and one more; 0 if it is free. */
  #table = new Int32Array(128);
  size = 0;

  /** The number of a key; a new one has the number that `size` was before. */
  add(key: number): number {
    const at = this.#placeOf(key);
    const known = this.#table[at]! - 1;
    if (known >= 0) return known;
    this.#keys[this.size] = key;
    this.#table[at] = this.size += 1;
    if (this.size === this.#keys.length) this.#grow();
    return this.size - 1;
  }

  /** The number of a key; -1 where it has not been met. */
  find(key: number): number {
    return this.#table[this.#placeOf(key)]! - 1;
  }

  /** In the order of their numbers. */
  keys(): Float64Array<ArrayBuffer> {
    return this.#keys.slice(0, this.size);
  }

  /** Keys are hashes, so their last bits tell them apart. */
  #placeOf(key: number): number {
    const mask = this.#table.length - 1;
    let at = (key >>> 0) & mask;
    while (this.#table[at] !== 0 && this.#keys[this.#table[at]! - 1] !== key) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const keys = this.#keys;
    this.#keys = new Float64Array(keys.length * 2);
    this.#keys.set(keys);
    this.#table = new Int32Array(this.#keys.length * 2);
    for (let number = 0; number < this.size; number += 1) this.#table[this.#placeOf(keys[number]!)] = number + 1;
  }
}
