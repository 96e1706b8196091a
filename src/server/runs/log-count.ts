import type { Stats } from 'node:fs';

import { z } from 'zod';

import { AddedLines } from './added-lines.ts';

/** A larger log is read over several looks, so that nobody waits for it. */
const MOST_AT_ONCE = 32 << 20;

const outcome = z.looseObject({ item: z.string(), repeat: z.number(), outcome: z.string() });

/** What became of the items of a log so far: the last word on each counts. */
export class LogCount {
  /** Whether each item has failed; null once nothing more is awaited. */
  #outcomes: Map<string, boolean> | null = new Map();
  #lines = this.#reader();
  #seen: Pick<Stats, 'size' | 'ino'> = { size: 0, ino: 0 };
  done = 0;
  failed = 0;

  async upTo(path: string, { size, ino }: Pick<Stats, 'size' | 'ino'>): Promise<void> {
    if (size === this.#seen.size && ino === this.#seen.ino && this.#lines.read >= size) return;
    const isAnother = ino !== this.#seen.ino || size < this.#seen.size || this.#outcomes === null;
    if (isAnother) this.#begin();
    this.#seen = { size, ino };
    await this.#lines.upTo(path, Math.min(size, this.#lines.read + MOST_AT_ONCE));
  }

  /** Nobody adds to it now: the numbers are kept and the items are not. */
  settle(): void {
    if (this.#lines.read >= this.#seen.size) this.#outcomes = null;
  }

  #begin(): void {
    this.#outcomes = new Map();
    this.#lines = this.#reader();
    [this.done, this.failed] = [0, 0];
  }

  #reader(): AddedLines {
    return new AddedLines((line) => this.#note(line));
  }

  #note(line: string): void {
    let given: unknown;
    try {
      given = JSON.parse(line);
    } catch {
      // Damaged: the experiment itself reports that when it resumes.
      return;
    }
    const { data } = outcome.safeParse(given);
    if (data === undefined || this.#outcomes === null) return;
    const key = `${data.repeat} ${data.item}`;
    const [before, failed] = [this.#outcomes.get(key), data.outcome === 'failed'];
    if (before === undefined) this.done += 1;
    this.failed += Number(failed) - Number(before ?? false);
    this.#outcomes.set(key, failed);
  }
}
