import type { Store } from '../../store/store.ts';

/** Does work on the store; what it promises has been written to the disk. */
export type Write = <T>(work: () => T) => Promise<T>;

interface Waiting {
  /** Within the transaction; gives what passes on the result, once that is through. */
  readonly run: () => () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Work that arrives together is written in one transaction, since each of them costs a sync of the disk. Nothing is
 * answered before the sync, so that whatever was acknowledged is there after a crash. A piece of work that fails takes
 * nothing else back.
 */
export function groupedWrites(store: Store): Write {
  let waiting: Waiting[] = [];

  const flush = (): void => {
    const group = waiting;
    waiting = [];
    try {
      for (const settle of store.transaction(() => group.map(({ run }) => run()))) settle();
    } catch (error) {
      // The disk refused: nothing of it is written, or at least not acknowledged.
      for (const { fail } of group) fail(error);
    }
  };

  return <T>(work: () => T): Promise<T> => {
    const { promise, resolve, reject: fail } = Promise.withResolvers<T>();
    const run = (): (() => void) => {
      try {
        const made = store.transaction(work);
        return () => resolve(made);
      } catch (error) {
        return () => fail(error);
      }
    };
    waiting.push({ run, fail });
    if (waiting.length === 1) setImmediate(flush);
    return promise;
  };
}

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
 * The same writes, each followed by a checkpoint before long. Left to itself SQLite keeps hours of reviewers' work in its log,
 * so that a copy of the file alone lacks it though it was acknowledged. Nobody waits for this: it is done between saves, and
 * again if a reader held it up.
 */
export function withCheckpoints(store: Store, write: Write, { quietMs, mostMs }: CheckpointPace = DEFAULT_PACE) {
  let timer: NodeJS.Timeout | undefined;
  let since: number | null = null;
  const checkpointIn = (milliseconds: number): void => {
    clearTimeout(timer);
    // Stopping the server does not wait for it: closing the store does the same.
    timer = setTimeout(checkpoint, Math.max(0, milliseconds)).unref();
  };
  const checkpoint = (): void => {
    if (store.checkpoint()) since = null;
    else checkpointIn(Math.min(AGAIN_MS, quietMs));
  };
  const writeAndCheckpoint: Write = async (work) => {
    const result = await write(work);
    const now = performance.now();
    since ??= now;
    checkpointIn(Math.min(quietMs, since + mostMs - now));
    return result;
  };
  return { write: writeAndCheckpoint, stop: () => clearTimeout(timer) };
}
