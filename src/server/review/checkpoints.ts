import type { Store } from '../../store/store.ts';
import type { Write } from './grouped-writes.ts';

/** When what was saved is brought from the log into the file of the store. */
export interface CheckpointPace {
  /** After the last save. */
  readonly quietMs: number;
  /** After the first that is not there yet, however many follow. */
  readonly mostMs: number;
}

const DEFAULT_PACE: CheckpointPace = { quietMs: 1000, mostMs: 10_000 };
/** With half of the log in it, the file alone is not a store, so this is not left for long. */
const AGAIN_MS = 250;

/**
 * Left to itself SQLite keeps hours of reviewers' work in its log, so that a copy of the file alone lacks it though it was
 * acknowledged. Nobody waits for this: it is done between saves, and again if a reader held it up.
 */
export class Checkpoints {
  readonly #store: Store;
  readonly #pace: CheckpointPace;
  #timer: NodeJS.Timeout | null = null;
  #since: number | null = null;

  constructor(store: Store, pace: CheckpointPace = DEFAULT_PACE) {
    this.#store = store;
    this.#pace = pace;
  }

  /** The same writes, each followed by a checkpoint before long. */
  after(write: Write): Write {
    return async (work) => {
      const result = await write(work);
      this.#soon();
      return result;
    };
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #soon(): void {
    const { quietMs, mostMs } = this.#pace;
    const now = performance.now();
    this.#since ??= now;
    this.#in(Math.min(quietMs, this.#since + mostMs - now));
  }

  #in(milliseconds: number): void {
    this.stop();
    this.#timer = setTimeout(() => this.#checkpoint(), Math.max(0, milliseconds));
    // Stopping the server does not wait for it: closing the store does the same.
    this.#timer.unref();
  }

  #checkpoint(): void {
    this.#timer = null;
    if (this.#store.checkpoint()) this.#since = null;
    else this.#in(Math.min(AGAIN_MS, this.#pace.quietMs));
  }
}
