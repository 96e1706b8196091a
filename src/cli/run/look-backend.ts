import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Backend, localBackend } from '../../experiment.ts';
import { backendOf, hasLocalStore, isLangfuse, localFolder, type PlaceFlags } from '../backend-of.ts';

/**
 * For a dry run: prompts are those of the real place, and so are datasets, but what is saved goes to a folder that is
 * gone afterwards.
 */
export async function lookBackend(flags: PlaceFlags): Promise<Backend> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-look-'));
  const aside = localBackend(folder);
  const isThere = isLangfuse(flags) || hasLocalStore(flags);
  const real = isThere ? await backendOf(flags) : { ...aside, place: localFolder(flags) };
  const owner = async (name: string): Promise<Backend> => ((await aside.dataset(name)) === null ? real : aside);
  return {
    ...real,
    dataset: async (name) => (await owner(name)).dataset(name),
    saveDataset: (dataset) => aside.saveDataset(dataset),
    async *items(name, options) {
      yield* (await owner(name)).items(name, options);
    },
    saveItems: async (name, items) => {
      if ((await aside.dataset(name)) === null) await aside.saveDataset({ name });
      return aside.saveItems(name, items);
    },
    async close() {
      await aside.close();
      if (isThere) await real.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
