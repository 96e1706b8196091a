import type { WriteStream } from 'node:tty';

const EVERY_MS = 100;
/** Short work shows nothing: a bar that flashes up is noise. */
const SHOW_AFTER_MS = 700;

/** One line that is written over again and again while work goes on, on a terminal only. */
export class StatusLine {
  readonly #stream: WriteStream;
  readonly #quiet: boolean;
  readonly #shown: boolean;
  readonly #started = Date.now();
  #last = 0;
  #drawn = false;

  constructor(stream: WriteStream, quiet: boolean) {
    this.#stream = stream;
    this.#quiet = quiet;
    this.#shown = !quiet && stream.isTTY;
  }

  show(line: (elapsedMs: number) => string): void {
    const now = Date.now();
    const elapsed = now - this.#started;
    if (!this.#shown || elapsed < SHOW_AFTER_MS || now - this.#last < EVERY_MS) return;
    this.#last = now;
    this.#drawn = true;
    this.#stream.write(`\r\u001b[2K${line(elapsed)}`);
  }

  /** A line that stays, above the one that is written over. */
  keep(line: string): void {
    if (this.#quiet) return;
    this.end();
    this.#stream.write(`${line}\n`);
  }

  end(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[2K');
  }
}

/** `[=========           ] 45 %` */
export function shareBar(share: number): string {
  const done = Math.min(1, Math.max(0, share));
  return `[${'='.repeat(Math.round(done * 20)).padEnd(20)}] ${Math.floor(done * 100)} %`;
}
