import type { Backend } from '../../experiment/backend.ts';
import { openStore } from '../../store/store.ts';
import { localFolder, type PlaceFlags } from '../backend-of.ts';

/** Says which other dataset has an item's id; only the local store can tell before anything is saved. */
export function otherDatasetOf(
  backend: Backend,
  flags: PlaceFlags,
  name: string,
): { readonly find: (id: string) => string | null; readonly close: () => void } {
  if (backend.kind !== 'local') return { find: () => null, close: () => undefined };
  const store = openStore(localFolder(flags));
  return {
    find: (id) => {
      const found = store.datasets.item(id)?.datasetName ?? null;
      return found === name ? null : found;
    },
    close: () => store.close(),
  };
}
