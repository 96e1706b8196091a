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
