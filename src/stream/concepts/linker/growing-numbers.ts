/** A list of numbers below 2^32 that grows as it is filled, without an object for each. */
export class GrowingNumbers {
  #values = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      // Not buffer.transfer, which writes to all of the new memory, used or not.
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** All there is, without a copy: to be taken once it is full. */
  values(): Uint32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.#length);
  }
}
