/** How a measure spreads over cases. Undefined cases are counted, never averaged. */
export interface CaseSpread {
  readonly n: number;
  readonly undefined: number;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Sample standard deviation (n - 1 below the line); null with fewer than two values. */
  readonly sd: number | null;
}

export class SpreadOverCases {
  #values = new Float64Array(64);
  #count = 0;
  #undefined = 0;

  add(value: number | null): void {
    if (value === null) {
      this.#undefined += 1;
      return;
    }
    if (this.#count === this.#values.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  summary(): CaseSpread {
    const n = this.#count;
    if (n === 0) return { n, undefined: this.#undefined, mean: null, min: null, max: null, sd: null };
    // Sorted, so that rounding cannot depend on the order in which cases came.
    const sorted = this.#values.slice(0, n).sort();
    const mean = sorted.reduce((sum, value) => sum + value, 0) / n;
    const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return {
      n,
      undefined: this.#undefined,
      mean,
      min: sorted[0] ?? null,
      max: sorted[n - 1] ?? null,
      sd: n < 2 ? null : Math.sqrt(squares / (n - 1)),
    };
  }
}
