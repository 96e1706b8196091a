import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Command } from 'commander';

import { UsageError } from '../data/problems.ts';
import type { Backend } from '../experiment/backend.ts';
import { hasLangfuse } from '../langfuse/client/has-langfuse.ts';
import * as flag from './flags.ts';

/** Where datasets, prompts and traces are. */
export interface PlaceFlags {
  readonly data?: string;
  readonly local?: boolean;
  readonly langfuse?: boolean;
}

/** Also in src/store, which is read only where it is needed. */
const DEFAULT_FOLDER = '.assay';
const STORE_FILE = 'store.db';

export const DATA_FLAG = flag.text('<folder>', 'folder of the local store (default: ASSAY_DATA, or .assay)');

/** Flags of every command that works on the local store or on Langfuse. */
export const PLACE_FLAGS = {
  data: DATA_FLAG,
  local: flag.toggle('use the local store, even if the LANGFUSE_ keys are set'),
  langfuse: flag.toggle('use Langfuse; its keys come from the environment'),
};

/** The same for commands that are not made by command(). */
export function placeOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'of the local store (default: ASSAY_DATA, or .assay)')
    .option('--local', 'the local store, also where the LANGFUSE_ keys are set')
    .option('--langfuse', 'Langfuse; its keys come from the environment');
}

export function localFolder(flags: PlaceFlags): string {
  const named = flags.data ?? process.env['ASSAY_DATA'];
  if (named?.trim() === '') throw new UsageError('the folder of the local store has an empty name', 'give --data DIR');
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
  if (isLangfuse(flags)) return (await import('../langfuse/client/langfuse-backend.ts')).langfuseBackend();
  return (await import('../experiment/local-backend.ts')).localBackend(localFolder(flags));
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

/** The same for a look: a local store that is not there is not made for it. */
export async function withExisting<T>(
  flags: PlaceFlags,
  what: string,
  begin: string,
  work: (backend: Backend) => Promise<T>,
): Promise<T> {
  if (!isLangfuse(flags) && !hasLocalStore(flags))
    throw new UsageError(`there is no ${what} in ${localFolder(flags)}: nothing has been kept there yet`, begin);
  return withBackend(flags, work);
}
