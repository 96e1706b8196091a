import type { Store } from '../../store/store.ts';

/** Does work on the store; what it promises has been written to the disk. */
export type Write = <T>(work: () => T) => Promise<T>;

interface Waiting {
  /** Within the transaction; gives what tells the result, once that is through. */
  readonly run: () => () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Work that arrives together is written in one transaction, since each of them costs a sync of the disk. Nothing is
 * answered before the sync, so that whatever was acknowledged is there after a crash. Each piece of work is a part of its
 * own: one that fails takes nothing else back.
 */
export function groupedWrites(store: Store): Write {
  let waiting: Waiting[] = [];

  const flush = (): void => {
    const group = waiting;
    waiting = [];
    try {
      for (const tell of store.transaction(() => group.map(({ run }) => run()))) tell();
    } catch (error) {
      // The disk refused: nothing of it is written, or nobody is told that it was.
      for (const { fail } of group) fail(error);
    }
  };

  return async (work) => {
    type Result = () => ReturnType<typeof work>;
    const result = await new Promise<Result>((resolve) => {
      const fail = (error: unknown): void => resolve(throwing(error));
      const run = (): (() => void) => {
        try {
          const made = store.transaction(work);
          return () => resolve(() => made);
        } catch (error) {
          return () => fail(error);
        }
      };
      waiting.push({ run, fail });
      if (waiting.length === 1) setImmediate(flush);
    });
    return result();
  };
}

/** Each piece of work in a transaction of its own. */
export function singleWrites(store: Store): Write {
  return (work) => new Promise((resolve) => resolve(store.transaction(work)));
}

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}
