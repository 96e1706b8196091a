import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { withoutOrigin } from '../../tasks/stream/deterministic-gzip.ts';
import type { CaseDetail } from './report-data.ts';

const pack = promisify(gzip);
/** A page is unpacked when one of its cases is looked at: a few hundred kilobytes take a few milliseconds. */
const PAGE_CHARACTERS = 256 * 1024;
const PAGE_CASES = 500;
/** Pages that may wait to be packed before scoring waits for them. */
const MOST_WAITING = 8;
/** What a browser still opens at once; cases after it are in the list but not in full. */
const MOST_PACKED = 192 * 1024 * 1024;
const LEVEL = 5;

/** Packs cases into pages and hands each on, in their order, as text that may stand in an HTML file. */
export class PackedPages {
  readonly #write: (page: number, packed: string) => void;
  readonly #most: number;
  readonly #firsts: number[] = [];
  readonly #waiting = new Set<Promise<void>>();
  #held: string[] = [];
  #characters = 0;
  #rows = 0;
  #until: number | null = null;
  #packed = 0;
  #last: Promise<void> = Promise.resolve();
  #failed: Error | null = null;

  constructor(write: (page: number, packed: string) => void, most = MOST_PACKED) {
    this.#write = write;
    this.#most = most;
  }

  add(detail: CaseDetail): void {
    if (this.#until === null) {
      const text = JSON.stringify(detail);
      this.#held.push(text);
      this.#characters += text.length;
    }
    this.#rows += 1;
    if (this.#characters >= PAGE_CHARACTERS || this.#held.length >= PAGE_CASES) this.#turn();
  }

  /** What the next case waits for, where packing lags behind. */
  ready(): Promise<void> | null {
    return this.#waiting.size < MOST_WAITING ? null : this.#last;
  }

  async finish(): Promise<{ readonly pages: readonly number[]; readonly detailsUntil: number | null }> {
    this.#turn();
    await this.#last;
    if (this.#failed !== null) throw this.#failed;
    return { pages: this.#firsts, detailsUntil: this.#until };
  }

  #turn(): void {
    if (this.#held.length === 0) return;
    const text = `{"cases":[${this.#held.join(',')}]}`;
    const first = this.#rows - this.#held.length;
    this.#held = [];
    this.#characters = 0;
    const packing = packed(text);
    const turned = this.#last.then(async () => {
      const content = await packing;
      this.#packed += content.length;
      if (this.#until !== null) return;
      if (this.#packed > this.#most) this.#until = first;
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

/** Gzip in base64: what a browser unpacks by itself, and what cannot end the element that it stands in. */
export async function packed(text: string): Promise<string> {
  return withoutOrigin(await pack(Buffer.from(text, 'utf8'), { level: LEVEL }), 0).toString('base64');
}
