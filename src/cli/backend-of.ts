import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Document, hasLangfuse, safeJson, UsageError } from '../plugin.ts';
import type { Backend, Store } from '../experiment.ts';
import type { CommandResult } from './command.ts';
import * as flag from './flags.ts';
import { refuseAddress } from './write-whole.ts';

/** The place of datasets, prompts and traces. */
export type PlaceFlags = Partial<flag.FlagValues<typeof PLACE_FLAGS>>;

/** Also in src/store, which is read only where it is needed. */
const DEFAULT_FOLDER = '.assay';
const STORE_FILE = 'store.db';

/** How to get the first of each. */
export const FIRST_DATASET = 'assay dataset import NAME FILE creates one';
export const FIRST_TRACE = 'run an experiment, or send traces to assay serve, first';
export const FIRST_PROMPT = 'assay prompt create NAME FILE creates one';

export const DATA_FLAG = flag.string('<folder>', 'folder of the local store (default: ASSAY_DATA, or .assay)');

/** Flags of every command that works on the local store or on Langfuse. */
export const PLACE_FLAGS = {
  data: DATA_FLAG,
  local: flag.toggle('use the local store, even if the LANGFUSE_ keys are set'),
  langfuse: flag.toggle('use Langfuse; its keys come from the environment'),
};

export function localFolder(flags: PlaceFlags): string {
  const named = flags.data ?? process.env['ASSAY_DATA'];
  if (named?.trim() === '') throw new UsageError('the folder of the local store has an empty name', 'give --data DIR');
  refuseAddress('ASSAY_DATA', named ?? '', undefined);
  return named ?? DEFAULT_FOLDER;
}

/** Whether the local store has been begun. Looking at it must not make one. */
export function hasLocalStore(flags: PlaceFlags): boolean {
  return existsSync(join(localFolder(flags), STORE_FILE));
}

/** Langfuse where its keys are set or it is asked for; otherwise, or with --local, the store in a folder. */
export function isLangfuse(flags: PlaceFlags): boolean {
  if (flags.local === true && flags.langfuse === true)
    throw new UsageError('--local and --langfuse are two places', 'give one of them');
  if (flags.local === true) return false;
  return flags.langfuse === true || hasLangfuse(process.env);
}

export async function backendOf(flags: PlaceFlags): Promise<Backend> {
  if (isLangfuse(flags)) return (await import('../experiment.ts')).langfuseBackend();
  return (await import('../experiment.ts')).localBackend(localFolder(flags));
}

/** Work on a backend that is closed afterwards. */
export async function withBackend<T>(flags: PlaceFlags, work: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = await backendOf(flags);
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
}

/**
 * The same for a dry run: prompts are those of the real place, and so are datasets, but what is saved goes to a folder
 * that is gone afterwards.
 */
export async function withLook<T>(flags: PlaceFlags, work: (backend: Backend) => Promise<T>): Promise<T> {
  const { localBackend } = await import('../experiment.ts');
  const folder = mkdtempSync(join(tmpdir(), 'assay-look-'));
  const aside = localBackend(folder);
  const real = isLangfuse(flags) || hasLocalStore(flags) ? await backendOf(flags) : null;
  const owner = async (name: string): Promise<Backend> =>
    real === null || (await aside.dataset(name)) !== null ? aside : real;
  /** Changes are made in a copy. */
  const copy = async (name: string): Promise<void> => {
    if ((await aside.dataset(name)) !== null) return;
    const source = real === null ? null : await real.dataset(name);
    await aside.saveDataset(source ?? { name });
    if (source !== null) await aside.saveItems(name, await Array.fromAsync(real!.items(name, { archived: true })));
  };
  try {
    return await work({
      ...(real ?? { ...aside, place: localFolder(flags) }),
      dataset: async (name) => (await owner(name)).dataset(name),
      saveDataset: async (dataset) => {
        await copy(dataset.name);
        return aside.saveDataset(dataset);
      },
      async *items(name, options) {
        yield* (await owner(name)).items(name, options);
      },
      saveItems: async (name, items) => {
        await copy(name);
        return aside.saveItems(name, items);
      },
    });
  } finally {
    await aside.close();
    await real?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same for a look: a local store that does not exist is not created for it. `begin` is what creates a `what`. */
export async function withExisting<T>(
  flags: PlaceFlags,
  what: string,
  begin: string,
  work: (backend: Backend) => Promise<T>,
): Promise<T> {
  if (!isLangfuse(flags) && !hasLocalStore(flags)) throw new UsageError(notThere(what, flags), begin);
  return withBackend(flags, work);
}

function notThere(what: string, flags: PlaceFlags): string {
  return `there is no ${what} in ${localFolder(flags)}: nothing has been kept there yet`;
}

/** What is kept of something, and where; none if a local store has not been begun. `begin` creates the first. */
export async function storageList<T>(
  flags: PlaceFlags,
  [what, begin]: readonly [what: string, begin: string],
  read: (isLocal: boolean) => Promise<readonly T[]>,
  table: (rows: readonly T[], place: string) => Document,
): Promise<CommandResult> {
  const isLocal = !isLangfuse(flags);
  const rows = isLocal && !hasLocalStore(flags) ? [] : await read(isLocal);
  const place = isLocal ? localFolder(flags) : 'this project of Langfuse';
  const none: Document = {
    title: `There is no ${what} in ${place} yet.`,
    sections: [{ blocks: [{ text: `Start with: ${begin}`, whole: true }] }],
  };
  return { json: () => safeJson(rows), document: () => (rows.length === 0 ? none : table(rows, place)) };
}

/** Work from one place to the other; a push needs something in the local store, and both need Langfuse's keys. */
export async function withBoth<T>(
  way: 'push' | 'pull',
  flags: { readonly data?: string },
  [what, begin]: readonly [string, string],
  work: (from: Backend, to: Backend) => Promise<T>,
): Promise<T> {
  if (!hasLangfuse(process.env))
    throw new UsageError(
      `to ${way}, Assay needs the keys of Langfuse`,
      'set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY (and LANGFUSE_BASE_URL); assay serve prints those of its server',
    );
  if (way === 'push' && !hasLocalStore(flags)) throw new UsageError(notThere(what, flags), begin);
  const local = await backendOf({ ...flags, local: true });
  try {
    const langfuse = await backendOf({ langfuse: true });
    try {
      return await (way === 'push' ? work(local, langfuse) : work(langfuse, local));
    } finally {
      await langfuse.close();
    }
  } finally {
    await local.close();
  }
}

/** Work on the local store itself, which knows more than a backend shows. */
export async function withLocalStore<T>(flags: PlaceFlags, work: (store: Store) => T | Promise<T>): Promise<T> {
  const store = (await import('../experiment.ts')).openStore(localFolder(flags));
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** The hash of what a dataset holds now. The local store remembers it, so that its history shows every change made here. */
export async function currentVersion(
  backend: Backend,
  flags: PlaceFlags,
  name: string,
): Promise<{ readonly hash: string; readonly items: number }> {
  const { datasetVersion } = await import('../experiment.ts');
  if (backend.kind !== 'local') return datasetVersion(backend.items(name));
  return withLocalStore(flags, (store) =>
    store.readOnly ? datasetVersion(backend.items(name)) : store.datasets.version(name),
  );
}
