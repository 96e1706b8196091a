import { pageApart, type PageOrder, type PageProgress } from './page-apart.ts';

export type Page = readonly Uint8Array[];

/** A page that is made, or being made. */
export interface Making {
  readonly page: Promise<Page>;
  /** Null before it has begun. */
  progress: PageProgress | null;
}

type Make = (order: PageOrder, progress: (progress: PageProgress) => void) => Promise<Page>;

const KEPT = 4;
const MOST_KEPT_BYTES = 256 * 1024 * 1024;
/** Threads at work at once: one is left for everybody else even on a small machine. */
const AT_ONCE = 1;
const MOST_WAITING = 16;
const FAILED_KEPT_MS = 10_000;

/**
 * Pages that were made for somebody: each once, however many wait for it, and one after another. The newest few are kept, as
 * far as they are not too large.
 */
export class MadePages {
  readonly #make: Make;
  readonly #made = new Map<string, Making & { bytes: number }>();
  readonly #waiting: (() => void)[] = [];
  #atWork = 0;

  constructor(make: Make = pageApart) {
    this.#make = make;
  }

  /** Null where so many wait already that nobody would see it. */
  of(key: string, order: PageOrder): Making | null {
    const known = this.#made.get(key);
    if (known !== undefined) {
      this.#made.delete(key);
      this.#made.set(key, known);
      return known;
    }
    if (this.#waiting.length >= MOST_WAITING) return null;
    const page = this.#inTurn(async () => await this.#make(order, (progress) => (making.progress = progress)));
    const making: Making & { bytes: number } = { page, progress: null, bytes: 0 };
    this.#made.set(key, making);
    page.then(
      (pieces) => {
        making.bytes = pieces.reduce((sum, { length }) => sum + length, 0);
        this.#forgetOldest();
      },
      // Whoever waits is told why, and whoever asks later has it tried again.
      () => {
        setTimeout(() => {
          if (this.#made.get(key) === making) this.#made.delete(key);
        }, FAILED_KEPT_MS).unref();
      },
    );
    return making;
  }

  #forgetOldest(): void {
    const done = [...this.#made].filter(([, { bytes }]) => bytes > 0).reverse();
    let bytes = 0;
    for (const [at, [key, making]] of done.entries()) {
      bytes += making.bytes;
      // The newest is kept whatever its size: somebody is about to ask for it.
      if (at > 0 && (at >= KEPT || bytes > MOST_KEPT_BYTES)) this.#made.delete(key);
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    while (this.#atWork >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#atWork += 1;
    try {
      return await work();
    } finally {
      this.#atWork -= 1;
      this.#waiting.shift()?.();
    }
  }
}
