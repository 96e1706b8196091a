import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isAlive, startOf } from './is-alive.ts';
import { makeFolders } from './write-file.ts';
import { readPlainSync } from './read-file.ts';
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
      `cannot write ${file} (${code === 'ENOSPC' ? 'the disk is full' : code})`,
      `choose another place with ${flag}`,
    );
  }
  return () => unlockFolder(folder);
}

/** The same, with a little patience: a process that was killed a moment ago may still be on its way out. */
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
    const owner = ownerOf(join(folder, LOCK_FILE));
    return owner !== null && isAlive(owner.pid, owner.start);
  } catch {
    // What is there is no lock.
    return false;
  }
}

/** Gives a folder back that this process has taken. */
export function unlockFolder(folder: string): void {
  release(join(folder, LOCK_FILE));
}

interface Owner {
  readonly pid: number;
  /** Null where the system does not say when a process began. */
  readonly start: string | null;
}

/**
 * Exact, also where many try at once: a lock comes into being by link(2), whole and once. That of a process which is gone
 * is replaced only by the holder of a second lock beside it, who looks again before doing so.
 */
function take(file: string, folder: string): void {
  const aside = `${file}-${process.pid}`;
  writeFileSync(aside, ownWords());
  try {
    while (!isMade(aside, file)) {
      const owner = ownerOf(file);
      if (owner === null) continue;
      if (isHeld(owner)) throw taken(file, folder, owner);
      if (replacesDead(aside, file, folder)) return;
    }
  } finally {
    rmSync(aside, { force: true });
  }
}

function isMade(aside: string, file: string): boolean {
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
  }
  // A disk that has no links, such as a USB stick's.
  try {
    writeFileSync(file, ownWords(), { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function replacesDead(aside: string, file: string, folder: string): boolean {
  const next = `${file}.next`;
  take(next, folder);
  try {
    const owner = ownerOf(file);
    if (owner === null || isHeld(owner)) return false;
    renameSync(aside, file);
    return true;
  } finally {
    release(next);
  }
}

function release(file: string): void {
  try {
    const owner = ownerOf(file);
    if (owner?.pid === process.pid && owner.start === startOf(process.pid)) rmSync(file, { force: true });
  } catch {
    // What was put in its place meanwhile is not ours.
  }
}

/** Null where there is no lock. One that names nobody is nobody's. */
function ownerOf(file: string): Owner | null {
  try {
    const [, pid = '0', start = null] = /^(\d+)(?: (\d+))?\n?$/.exec(readPlainSync(file).toString('latin1')) ?? [];
    return { pid: Number(pid), start };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function ownWords(): string {
  const start = startOf(process.pid);
  return `${process.pid}${start === null ? '' : ` ${start}`}\n`;
}

function isHeld({ pid, start }: Owner): boolean {
  // If nothing distinguishes processes with the same pid, our own pid is that of an earlier process.
  return pid > 0 && (pid !== process.pid || start !== null) && isAlive(pid, start);
}

function taken(file: string, folder: string, { pid }: Owner): FolderTaken {
  const who = pid === process.pid ? 'this process' : `another process (${pid})`;
  return new FolderTaken(
    `${folder} is being written to by ${who}, which holds ${file}`,
    `wait for it, or name another folder; if process ${pid} is not assay, remove ${file}`,
  );
}
