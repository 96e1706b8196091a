import type { WriteStream } from 'node:tty';

import type { Source } from '../data/source.ts';
import type { SystemFiles } from '../formats/case-format.ts';
import { shareBar, StatusLine } from './status-line.ts';

/** A bar of the bytes read, with rate and time left, on a terminal only. */
export class Progress {
  readonly #line: StatusLine;
  readonly #total: number;
  #done = 0;

  constructor(stream: WriteStream, totalBytes: number, quiet: boolean) {
    this.#line = new StatusLine(stream, quiet);
    this.#total = totalBytes;
  }

  /** The same files, with their bytes counted as they are read. */
  counting({ cases, gold, systems }: SystemFiles): SystemFiles {
    const counted = (source: Source | undefined): Source | undefined =>
      source === undefined ? undefined : { ...source, open: async () => this.#counted(await source.open()) };
    return {
      cases: counted(cases),
      gold: counted(gold),
      systems: systems.map(({ system, source }) => ({ system, source: counted(source) })),
    };
  }

  /** A part of the work that is not reading: how much of it is done. */
  part(name: string, share: number): void {
    this.#line.show(() => `${shareBar(share)}  ${name}`);
  }

  end(): void {
    this.#line.end();
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk;
      this.#done += chunk.length;
      this.#line.show((elapsed) => progressLine(this.#done, this.#total, elapsed));
    }
  }
}

/** `[=========           ] 45 %  12.3 MB/s  3 s left` */
export function progressLine(done: number, total: number, elapsedMs: number): string {
  const rate = done / Math.max(elapsedMs, 1) / 1000;
  const speed = `${rate.toFixed(1)} MB/s`;
  if (total <= 0) return `${(done / 1e6).toFixed(1)} MB  ${speed}`;
  const left = rate > 0 ? `  ${Math.max(0, Math.ceil((total - done) / rate / 1e6))} s left` : '';
  return `${shareBar(done / total)}  ${speed}${left}`;
}
