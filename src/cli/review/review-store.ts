import { shellWord, UsageError } from '../../plugin.ts';
import { asUsage, loadSnapshot, openStore, type ReviewSnapshot, type Store } from '../../review.ts';
import { DATA_FLAG, hasLocalStore, localFolder } from '../backend-of.ts';
import * as flag from '../flags.ts';

export interface StoreFlags {
  readonly data?: string;
}

/** The argument and the flags that most commands on a review have. */
export const REVIEW_NAME = { name: flag.argument('name of the review') };
export const REVIEW_FLAGS = { data: DATA_FLAG, json: flag.JSON_ALONE };

/** `look` creates no store, and one that is read-only will do. */
type StoreMode = 'look' | 'change' | 'begin';

/** Work on the store of a folder, which is closed afterwards. */
export async function withStore<T>(
  flags: StoreFlags,
  mode: StoreMode,
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  const folder = localFolder(flags);
  if (mode !== 'begin' && !hasLocalStore(flags))
    throw new UsageError(
      `there is no review in ${folder}: nothing has been kept there yet`,
      'assay review create NAME makes one; --data names another folder',
    );
  const store = openStore(folder);
  try {
    if (mode !== 'look' && store.readOnly)
      throw new UsageError(`cannot write to ${store.file}`, 'make it and its folder writable, or name another --data');
    return await work(store);
  } catch (error) {
    // What contradicts the store is the user's to fix.
    return asUsage(() => {
      throw error;
    });
  } finally {
    store.close();
  }
}

/** The same for one review. */
export function withReview<T>(
  flags: StoreFlags & { readonly name: string },
  mode: StoreMode,
  work: (snapshot: ReviewSnapshot, store: Store) => T | Promise<T>,
): Promise<T> {
  return withStore(flags, mode, (store) => work(loadSnapshot(store, flags.name), store));
}

/** What a printed command needs to work on the same store when it is pasted. */
export function dataOption({ data }: StoreFlags): string {
  return data === undefined ? '' : ` --data ${shellWord(data)}`;
}
