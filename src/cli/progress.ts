import type { WriteStream } from 'node:tty';

import type { CaseSources } from '../data/read-cases.ts';
import type { Source } from '../data/source.ts';

const EVERY_MS = 100;
/** Short work shows nothing: a bar that flashes up is noise. */
const SHOW_AFTER_MS = 700;

/** A bar of the bytes read, with rate and time left, on a terminal only. */
export class Progress {
  readonly #stream: WriteStream;
  readonly #total: number;
  readonly #shown: boolean;
  readonly #started = Date.now();
  #done = 0;
  #last = 0;
  #drawn = false;

  constructor(stream: WriteStream, totalBytes: number, quiet: boolean) {
    this.#stream = stream;
    this.#total = totalBytes;
    this.#shown = !quiet && stream.isTTY;
  }

  /** The same sources, with their bytes counted as they are read. */
  counting(sources: CaseSources): CaseSources {
    const counted = (source: Source | undefined): Source | undefined =>
      source === undefined ? undefined : { ...source, open: async () => this.#counted(await source.open()) };
    return { cases: counted(sources.cases), gold: counted(sources.gold), predictions: counted(sources.predictions) };
  }

  end(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[2K');
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk;
      this.#done += chunk.length;
      this.#draw();
    }
  }

  #draw(): void {
    const now = Date.now();
    const elapsed = now - this.#started;
    if (!this.#shown || elapsed < SHOW_AFTER_MS || now - this.#last < EVERY_MS) return;
    this.#last = now;
    this.#drawn = true;
    this.#stream.write(`\r\u001b[2K${progressLine(this.#done, this.#total, elapsed)}`);
  }
}

/** `[=========           ] 45 %  12.3 MB/s  3 s left` */
export function progressLine(done: number, total: number, elapsedMs: number): string {
  const rate = done / Math.max(elapsedMs, 1) / 1000;
  const speed = `${rate.toFixed(1)} MB/s`;
  if (total <= 0) return `${(done / 1e6).toFixed(1)} MB  ${speed}`;
  const share = Math.min(1, done / total);
  const bar = '='.repeat(Math.round(share * 20)).padEnd(20);
  const left = rate > 0 ? Math.ceil(((total - done) / rate / 1e6) * 1) : null;
  return `[${bar}] ${Math.floor(share * 100)} %  ${speed}${left === null ? '' : `  ${Math.max(0, left)} s left`}`;
}
