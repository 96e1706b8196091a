import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isAlive } from './is-alive.ts';
import { makeFolders } from './make-folders.ts';
import { UsageError } from './problems.ts';
import { errorCode } from './source.ts';

export const LOCK_FILE = '.assay-lock';
const TRIES = 30;
const PAUSE_MS = 100;

class FolderTaken extends UsageError {}

/**
 * Takes a folder for this process, so that two at once do not mix what they write there; the answer gives it back. The
 * lock of a process that is gone is taken over.
 */
export function lockFolder(folder: string, flag: string): () => void {
  const file = join(folder, LOCK_FILE);
  try {
    makeFolders(folder);
    take(file, folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = errorCode(error);
    throw new UsageError(
      `cannot write to ${folder} (${code === 'ENOSPC' ? 'the disk is full' : code})`,
      `choose another place with ${flag}`,
    );
  }
  return () => unlockFolder(folder);
}

/**
 * The same, with a little patience: a process that was killed a moment ago may still be on its way out.
 */
export async function lockFolderPatiently(folder: string, flag: string): Promise<() => void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return lockFolder(folder, flag);
    } catch (error) {
      if (!(error instanceof FolderTaken) || tried === TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  }
}

/** Whether a process that is alive has taken a folder. */
export function isFolderLocked(folder: string): boolean {
  try {
    return isOwner(Number(readFileSync(join(folder, LOCK_FILE), 'utf8')));
  } catch {
    // There is no lock, or it is gone this very moment.
    return false;
  }
}

/** Gives a folder back that this process has taken. */
export function unlockFolder(folder: string): void {
  const file = join(folder, LOCK_FILE);
  if (existsSync(file) && readFileSync(file, 'utf8') === String(process.pid)) rmSync(file, { force: true });
}

function take(file: string, folder: string): void {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const owner = Number(readFileSync(file, 'utf8'));
    if (owner !== process.pid && isOwner(owner))
      throw new FolderTaken(
        `${folder} is being written to by another process (${owner})`,
        'wait for it, or name another folder',
      );
    writeFileSync(file, String(process.pid));
  }
}

function isOwner(pid: number): boolean {
  return Number.isInteger(pid) && pid > 0 && isAlive(pid);
}
