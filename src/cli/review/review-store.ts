import type { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { asUsage } from '../../experiment/local-backend.ts';
import { openStore, type Store } from '../../store/store.ts';
import { hasLocalStore, localFolder } from '../backend-of.ts';

export interface StoreFlags {
  readonly data?: string;
}

/** Reviews are in the local store, wherever scores go. */
export function storeOption(command: Command): Command {
  return command.option('--data <folder>', 'of the local store (default: ASSAY_DATA, or .assay)');
}

/** Work on the store of a folder, which is closed afterwards. `look` makes none, and one that cannot be written will do. */
export async function withStore<T>(
  flags: StoreFlags,
  mode: 'look' | 'change' | 'begin',
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
    // What contradicts the store is the user's to mend.
    return asUsage(() => {
      throw error;
    });
  } finally {
    store.close();
  }
}
