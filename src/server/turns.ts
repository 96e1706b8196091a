/** Work that is done a few at a time, in the order in which it came. */
export class Turns {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #atWork = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    while (this.#atWork >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#atWork += 1;
    try {
      return await work();
    } finally {
      this.#atWork -= 1;
      this.#waiting.shift()?.();
    }
  }
}
