import type { Backend } from '../../experiment/backend.ts';
import { datasetVersion } from '../../store/dataset-version.ts';
import { openStore } from '../../store/store.ts';
import { localFolder, type PlaceFlags } from '../backend-of.ts';

/** The hash of what a dataset holds now. The local store remembers it, so that its history shows every change made here. */
export async function currentVersion(
  backend: Backend,
  flags: PlaceFlags,
  name: string,
): Promise<{ readonly hash: string; readonly items: number }> {
  if (backend.kind !== 'local') return datasetVersion(backend.items(name));
  const store = openStore(localFolder(flags));
  try {
    return store.readOnly ? await datasetVersion(backend.items(name)) : store.datasets.version(name);
  } finally {
    store.close();
  }
}
