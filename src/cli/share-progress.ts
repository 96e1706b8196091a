import { setImmediate } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';

import { shareBar, StatusLine } from './status-line.ts';

/** A bar of work that knows what share of it is done, on a terminal only. */
export class ShareProgress {
  readonly #line: StatusLine;

  constructor(stream: WriteStream, quiet: boolean) {
    this.#line = new StatusLine(stream, quiet);
  }

  /** Waits a moment, so that signals are heard between two stretches of work. */
  async at(share: number): Promise<void> {
    this.#line.show((elapsed) => shareLine(share, elapsed));
    await setImmediate();
  }

  keep(line: string): void {
    this.#line.keep(line);
  }

  end(): void {
    this.#line.end();
  }
}

/** `[=========           ] 45 %  3 s left` */
export function shareLine(share: number, elapsedMs: number): string {
  const done = Math.min(1, Math.max(0, share));
  const left = done > 0 ? `  ${Math.ceil((elapsedMs * (1 - done)) / done / 1000)} s left` : '';
  return `${shareBar(done)}${left}`;
}
