import { faultText } from '../fault-text.ts';
import { Refusal } from '../refusal.ts';
import { type KeptEntry, KeptEntries, type KeptParts } from './kept-entries.ts';

/** How things stand between this page and the server; `shut` means that the link is not worth anything any more. */
export type SaveState = 'saved' | 'saving' | 'retrying' | 'shut';

export type Outcome<Act, Answer> =
  | { readonly kind: 'saved'; readonly item: string; readonly acts: readonly Act[]; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly item: string; readonly act: Act; readonly refusal: Refusal }
  | { readonly kind: 'waiting'; readonly item: string };

export interface OutboxParts<Act, Answer> extends KeptParts<Act> {
  readonly send: (item: string, entries: readonly KeptEntry<Act>[], leaving: boolean) => Promise<Answer>;
  /** Runs something later; returns how to call it off. */
  readonly later: (ms: number, run: () => void) => () => void;
}

const MOST_AT_ONCE = 50;
const MOST_CHARACTERS = 300_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * What was done and is not saved yet. Everything is kept in the browser before it is sent, goes out in the order in which
 * it was made, and leaves only when the server has it, or has said why it never will. An id is made once, so that sending
 * again changes nothing.
 */
export class Outbox<Act, Answer> {
  readonly #parts: OutboxParts<Act, Answer>;
  readonly #kept: KeptEntries<Act>;
  readonly #listeners = new Set<(outcome: Outcome<Act, Answer> | null) => void>();
  #sending = false;
  #shut = false;
  #failures = 0;
  #trouble: string | null = null;
  #oneByOne = false;
  #cancel: (() => void) | null = null;

  constructor(parts: OutboxParts<Act, Answer>) {
    this.#parts = parts;
    this.#kept = new KeptEntries(parts);
    if (this.#kept.all.length > 0) this.#schedule(0);
  }

  get state(): SaveState {
    if (this.#shut) return 'shut';
    if (this.#kept.all.length === 0) return 'saved';
    return this.#failures > 0 ? 'retrying' : 'saving';
  }

  /** Oldest first. */
  get unsent(): readonly KeptEntry<Act>[] {
    return this.#kept.all;
  }

  /** Why the last attempt did not arrive; null while nothing is wrong. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Of one item, oldest first. */
  waiting(item: string): readonly Act[] {
    return this.#kept.all.filter((entry) => entry.item === item).map(({ act }) => act);
  }

  /** `pause`: how long to wait for more of the same, as while somebody types. */
  put(item: string, act: Act, pause = 0): void {
    this.#kept.put(item, act);
    this.#tell(null);
    this.#schedule(pause);
  }

  /** At once, whatever it was waiting for: the page is left, or the network is back. */
  flush(leaving = false): void {
    this.#cancel?.();
    this.#cancel = null;
    void this.#pump(leaving);
  }

  /** Called with what came of a request, and with null when nothing but the state changed. */
  listen(listener: (outcome: Outcome<Act, Answer> | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #schedule(ms: number): void {
    // After a failure its pause holds: what is new goes out with the next attempt.
    if (this.#failures > 0 && this.#cancel !== null) return;
    this.#in(ms);
  }

  #in(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#parts.later(ms, () => {
      this.#cancel = null;
      void this.#pump(false);
    });
  }

  async #pump(leaving: boolean): Promise<void> {
    if (this.#sending || this.#shut) return;
    this.#sending = true;
    try {
      let batch = this.#batch();
      while (batch.length > 0 && (await this.#sendBatch(batch, leaving))) batch = this.#batch();
    } finally {
      this.#sending = false;
    }
  }

  /** Answers to questions of one item go together; what stands by itself goes alone. */
  #batch(): readonly KeptEntry<Act>[] {
    const [first, ...rest] = this.#kept.all;
    if (first === undefined) return [];
    const batch = [first];
    if (this.#parts.topic(first.act) === null || this.#oneByOne) return batch;
    let size = first.size;
    for (const entry of rest) {
      size += entry.size;
      const fits = batch.length < MOST_AT_ONCE && size < MOST_CHARACTERS;
      if (entry.item !== first.item || this.#parts.topic(entry.act) === null || !fits) break;
      batch.push(entry);
    }
    return batch;
  }

  /** Whether to send the next batch. */
  async #sendBatch(batch: readonly KeptEntry<Act>[], leaving: boolean): Promise<boolean> {
    const item = batch[0]?.item ?? '';
    this.#kept.markSent(batch);
    try {
      const answer = await this.#parts.send(item, batch, leaving);
      this.#kept.drop(batch);
      this.#failures = 0;
      this.#trouble = null;
      if (this.unsent.length === 0) this.#oneByOne = false;
      this.#tell({ kind: 'saved', item, acts: batch.map(({ act }) => act), answer });
      return true;
    } catch (error) {
      return this.#afterFailure(batch, error);
    }
  }

  #afterFailure(batch: readonly KeptEntry<Act>[], error: unknown): boolean {
    const [first] = batch;
    if (first === undefined) return false;
    if (!(error instanceof Refusal) || error.passing) {
      this.#failures += 1;
      this.#trouble = faultText(error);
      this.#in(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.#failures));
      this.#tell({ kind: 'waiting', item: first.item });
      return false;
    }
    this.#failures = 0;
    this.#trouble = null;
    if (error.status === 401 || error.status === 403) {
      this.#shut = true;
      this.#tell(null);
      return false;
    }
    if (batch.length > 1) {
      // Which of them it was shows when they go one by one.
      this.#oneByOne = true;
      return true;
    }
    this.#oneByOne = false;
    this.#kept.drop(batch);
    this.#tell({ kind: 'refused', item: first.item, act: first.act, refusal: error });
    return true;
  }

  #tell(outcome: Outcome<Act, Answer> | null): void {
    for (const listener of this.#listeners) listener(outcome);
  }
}
