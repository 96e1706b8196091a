import { setImmediate } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { entryAt, mapFiles, type Source } from '../plugin.ts';

const EVERY_MS = 100;
/** Short work shows nothing: a bar that flashes up is noise. */
const SHOW_AFTER_MS = 700;

/** One line that is written over while work goes on, on a terminal only. */
export class Progress {
  readonly #stream: WriteStream;
  readonly #quiet: boolean;
  readonly #isShown: boolean;
  readonly #started = Date.now();
  #last = 0;
  #isDrawn = false;

  constructor(stream: WriteStream, quiet: boolean) {
    this.#stream = stream;
    this.#quiet = quiet;
    this.#isShown = !quiet && stream.isTTY;
  }

  /** The share that is done, and a word on it. Waits a moment, so that signals are heard between two stretches of work. */
  async at(share: number, label?: string): Promise<void> {
    this.show((elapsed) => (label === undefined ? shareLine(share, elapsed) : `${shareBar(share)}  ${label}`));
    await setImmediate();
  }

  show(line: (elapsedMs: number) => string): void {
    const now = Date.now();
    const elapsed = now - this.#started;
    if (!this.#isShown || elapsed < SHOW_AFTER_MS || now - this.#last < EVERY_MS) return;
    this.#last = now;
    this.#isDrawn = true;
    this.#stream.write(`\r\u001b[2K${line(elapsed)}`);
  }

  /** A line that stays, above the one that is written over. */
  keep(line: string): void {
    if (this.#quiet) return;
    this.end();
    this.#stream.write(`${line}\n`);
  }

  end(): void {
    if (this.#isDrawn) this.#stream.write('\r\u001b[2K');
    this.#isDrawn = false;
  }
}

/** `[=========           ] 45 %` */
export function shareBar(share: number): string {
  const done = Math.min(1, Math.max(0, share));
  return `[${'='.repeat(Math.round(done * 20)).padEnd(20)}] ${Math.floor(done * 100)} %`;
}

/** `[=========           ] 45 %  3 s left` */
export function shareLine(share: number, elapsedMs: number): string {
  const done = Math.min(1, Math.max(0, share));
  const left = done > 0 ? `  ${Math.ceil((elapsedMs * (1 - done)) / done / 1000)} s left` : '';
  return `${shareBar(done)}${left}`;
}

/** `[=========           ] 45 %  12.3 MB/s  3 s left` */
export function bytesLine(done: number, total: number, elapsedMs: number): string {
  const rate = done / Math.max(elapsedMs, 1) / 1000;
  const speed = `${rate.toFixed(1)} MB/s`;
  if (total <= 0) return `${(done / 1e6).toFixed(1)} MB  ${speed}`;
  const left = rate > 0 ? `  ${Math.max(0, Math.ceil((total - done) / rate / 1e6))} s left` : '';
  return `${shareBar(done / total)}  ${speed}${left}`;
}

/** Sources that move a bar of the bytes read; `sources` is all there is to read, each as often as it is read. */
export function watchBytes(sources: readonly (Source | undefined)[], progress: Progress): (source: Source) => Source {
  let total = 0;
  for (const { path } of sources.flatMap((source) => source?.files ?? source ?? []))
    if (path !== null) total += entryAt(path)?.size ?? 0;
  return watchBytesOf(() => total, progress);
}

/** The same if the number of bytes is known only once they are read. */
export function watchBytesOf(total: () => number, progress: Progress): (source: Source) => Source {
  let done = 0;
  async function* watched(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk;
      done += chunk.length;
      progress.show((elapsed) => bytesLine(done, total(), elapsed));
    }
  }
  return (source) => mapFiles(source, (file) => ({ ...file, open: async () => watched(await file.open()) }));
}
