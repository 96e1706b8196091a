import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { withoutOrigin } from '../deterministic-gzip.ts';

const gzipped = promisify(gzip);
/** A page is decompressed when one of its cases is opened: a few hundred kilobytes take a few milliseconds. */
const PAGE_BYTES = 256 * 1024;
const PAGE_CASES = 500;
/** Pages that may wait to be compressed before scoring waits for them. */
const MOST_WAITING = 8;
/** What a browser still opens at once; cases after it are in the list but not in full. */
const MOST_BYTES = 192 * 1024 * 1024;
/** A tenth larger than at 5, in two thirds of the time. */
const LEVEL = 4;
/** Room for a compressed page: a smaller one would be allocated again and again. */
const PAGE_ROOM = 128 * 1024;

const OPENING = Buffer.from('{"cases":[');
const CLOSING = Buffer.from(']}');
const COMMA = 0x2c;

/** Compresses cases in pages and hands each on, in their order, as text for an HTML file. */
export class CompressedPages {
  readonly #write: (page: number, content: string) => void;
  readonly #most: number;
  readonly #firsts: number[] = [];
  readonly #waiting = new Set<Promise<void>>();
  /** Buffers that have been compressed and can be filled again. */
  readonly #spare: Buffer[] = [];
  #page: Buffer = Buffer.alloc(0);
  #size = 0;
  #held = 0;
  #rows = 0;
  #until: number | null = null;
  #bytes = 0;
  #last: Promise<void> = Promise.resolve();
  #failed: Error | null = null;

  constructor(write: (page: number, content: string) => void, most = MOST_BYTES) {
    this.#write = write;
    this.#most = most;
  }

  /** Whether the pages take no more cases: what is added is only counted then. */
  get isFull(): boolean {
    return this.#until !== null;
  }

  /** Takes the JSON of a case. */
  add(detail: Uint8Array): void {
    if (!this.isFull) {
      this.#makeRoom(detail.length);
      if (this.#held > 0) this.#page[this.#size++] = COMMA;
      this.#page.set(detail, this.#size);
      this.#size += detail.length;
      this.#held += 1;
    }
    this.#rows += 1;
    if (this.#size >= PAGE_BYTES || this.#held >= PAGE_CASES) this.#turn();
  }

  /** What the next case waits for, if compression lags behind. */
  ready(): Promise<void> | null {
    const [oldest] = this.#waiting;
    return this.#waiting.size < MOST_WAITING ? null : (oldest ?? null);
  }

  async finish(): Promise<{ readonly pages: readonly number[]; readonly detailsUntil: number | null }> {
    this.#turn();
    await this.#last;
    if (this.#failed !== null) throw this.#failed;
    return { pages: this.#firsts, detailsUntil: this.#until };
  }

  #makeRoom(length: number): void {
    if (this.#held === 0) {
      this.#page = this.#spare.pop() ?? Buffer.allocUnsafe(PAGE_BYTES * 2);
      this.#size = OPENING.copy(this.#page);
    }
    const size = this.#size + length + 1 + CLOSING.length;
    if (size <= this.#page.length) return;
    const wider = Buffer.allocUnsafe(size);
    this.#page.copy(wider, 0, 0, this.#size);
    this.#page = wider;
  }

  #turn(): void {
    if (this.#held === 0) return;
    const page = this.#page;
    this.#size += CLOSING.copy(page, this.#size);
    const first = this.#rows - this.#held;
    const compression = compressed(page.subarray(0, this.#size));
    this.#held = 0;
    this.#size = 0;
    const turned = this.#last.then(async () => {
      const content = await compression;
      if (page.length === PAGE_BYTES * 2) this.#spare.push(page);
      this.#bytes += content.length;
      if (this.#until !== null) return;
      if (this.#bytes > this.#most) this.#until = first;
      else {
        this.#write(this.#firsts.length, content);
        this.#firsts.push(first);
      }
    });
    const settled = turned
      .catch((error: unknown) => {
        this.#failed ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => this.#waiting.delete(settled));
    this.#waiting.add(settled);
    this.#last = settled;
  }
}

/** Gzip in base64: a browser decompresses it by itself, and it cannot end the element that holds it. */
export async function compressed(content: Uint8Array | string): Promise<string> {
  return withoutOrigin(await gzipped(content, { level: LEVEL, chunkSize: PAGE_ROOM }), 0).toString('base64');
}
