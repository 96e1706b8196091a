import type { Saved } from '../../../src/review/api.ts';
import type { ReviewCell } from '../../../src/store/review-records.ts';
import type { TextStore } from '../browser-store.ts';
import { Refusal } from '../refusal.ts';
import { type Act, type KeptEntry, KeptEntries } from './kept-entries.ts';

/** How things stand between this page and the server; `shut` means that the link is not worth anything any more. */
export type SaveState = 'saved' | 'saving' | 'retrying' | 'shut';

export type Outcome =
  | { readonly kind: 'saved'; readonly item: string; readonly acts: readonly Act[]; readonly saved: Saved }
  | { readonly kind: 'refused'; readonly item: string; readonly act: Act; readonly refusal: Refusal }
  | { readonly kind: 'waiting'; readonly item: string };

export interface OutboxParts {
  readonly store: TextStore;
  /** Whose entries these are, so that a new link of the same person sends what an old one could not. */
  readonly owner: string;
  /** Entries of other items stay where they are. */
  readonly items: ReadonlySet<string>;
  readonly send: (item: string, entries: readonly KeptEntry[], leaving: boolean) => Promise<Saved>;
  readonly newId: () => string;
  readonly now: () => number;
  /** Runs something later; returns how to call it off. */
  readonly later: (ms: number, run: () => void) => () => void;
}

const MOST_AT_ONCE = 50;
const MOST_CHARACTERS = 300_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * What was answered and is not saved yet. Everything is kept in the browser before it is sent, goes out in the order in
 * which it was made, and leaves only when the server has it, or has said why it never will. An id is made once, so that
 * sending again changes nothing.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #kept: KeptEntries;
  readonly #listeners = new Set<(outcome: Outcome | null) => void>();
  #sending = false;
  #shut = false;
  #failures = 0;
  #oneByOne = false;
  #cancel: (() => void) | null = null;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#kept = new KeptEntries(parts);
    if (this.#kept.all.length > 0) this.#schedule(0);
  }

  get state(): SaveState {
    if (this.#shut) return 'shut';
    if (this.#kept.all.length === 0) return 'saved';
    return this.#failures > 0 ? 'retrying' : 'saving';
  }

  get unsent(): number {
    return this.#kept.all.length;
  }

  /** Of one item, oldest first. */
  waiting(item: string): readonly Act[] {
    return this.#kept.all.filter((entry) => entry.item === item).map(({ act }) => act);
  }

  /** `pause`: how long to wait for more of the same, as while somebody types. */
  answer(item: string, cell: ReviewCell, pause = 0): void {
    this.#kept.put(item, { kind: 'answer', cell });
    this.#tell(null);
    this.#schedule(pause);
  }

  commit(item: string): void {
    this.#kept.put(item, { kind: 'commit' });
    this.#tell(null);
    this.#schedule(0);
  }

  reopen(item: string): void {
    this.#kept.put(item, { kind: 'reopen' });
    this.#tell(null);
    this.#schedule(0);
  }

  /** At once, whatever it was waiting for: the page is left, or the network is back. */
  flush(leaving = false): void {
    this.#cancel?.();
    this.#cancel = null;
    void this.#pump(leaving);
  }

  /** Called with what came of a request, and with null when nothing but the state changed. */
  listen(listener: (outcome: Outcome | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #schedule(ms: number): void {
    // After a failure its pause holds: what is new goes out with the next attempt.
    if (this.#failures > 0 && this.#cancel !== null) return;
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

  /** Answers to one item go together; committing and reopening go alone. */
  #batch(): readonly KeptEntry[] {
    const [first, ...rest] = this.#kept.all;
    if (first === undefined) return [];
    const batch = [first];
    if (first.act.kind !== 'answer' || this.#oneByOne) return batch;
    let size = first.size;
    for (const entry of rest) {
      size += entry.size;
      const fits = batch.length < MOST_AT_ONCE && size < MOST_CHARACTERS;
      if (entry.item !== first.item || entry.act.kind !== 'answer' || !fits) break;
      batch.push(entry);
    }
    return batch;
  }

  /** Whether to go on with the next. */
  async #sendBatch(batch: readonly KeptEntry[], leaving: boolean): Promise<boolean> {
    const item = batch[0]?.item ?? '';
    this.#kept.markSent(batch);
    try {
      const saved = await this.#parts.send(item, batch, leaving);
      this.#kept.drop(batch);
      this.#failures = 0;
      if (this.unsent === 0) this.#oneByOne = false;
      this.#tell({ kind: 'saved', item, acts: batch.map(({ act }) => act), saved });
      return true;
    } catch (error) {
      return this.#afterFailure(batch, error);
    }
  }

  #afterFailure(batch: readonly KeptEntry[], error: unknown): boolean {
    const [first] = batch;
    if (first === undefined) return false;
    if (!(error instanceof Refusal) || error.passing) {
      this.#failures += 1;
      this.#cancel?.();
      this.#cancel = null;
      const pause = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.#failures);
      this.#cancel = this.#parts.later(pause, () => {
        this.#cancel = null;
        void this.#pump(false);
      });
      this.#tell({ kind: 'waiting', item: first.item });
      return false;
    }
    this.#failures = 0;
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

  #tell(outcome: Outcome | null): void {
    for (const listener of this.#listeners) listener(outcome);
  }
}
