import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { isAlive, PROCESS } from './is-alive.ts';
import { makeFolders } from './write-file.ts';
import { readPlainSync } from './read-file.ts';
import { UsageError } from './problems.ts';
import { errorCode } from './source.ts';

export const LOCK_FILE = '.assay-lock';
const PAUSE_MS = 100;

/** Times of a lock, in milliseconds. */
export const LOCK_TIMES = {
  /** A process that was killed a moment ago may still be on its way out. */
  patience: 3000,
  renew: 10_000,
  /** A holder that is so late asks whether it still holds the folder before it goes on. */
  late: 20_000,
  /** A process of another machine that has not renewed its lock for so long has ended. */
  stale: 30_000,
};

/** A folder that this process holds. */
export interface FolderLock {
  /** Throws UsageError once another process holds the folder, as after a laptop was asleep. */
  check(): void;
  release(): void;
}

interface Owner {
  readonly pid: number;
  /** Null where the system does not say when a process began. */
  readonly start: string | null;
  readonly machine: string;
  readonly host: string;
  readonly token: string;
  readonly since: string;
}

class FolderTaken extends UsageError {
  readonly holder: { readonly file: string; readonly text: string; readonly owner: Owner | null };

  constructor(message: string, next: string, holder: FolderTaken['holder']) {
    super(message, next);
    this.holder = holder;
  }
}

/** Locks of this process. */
const held = new Map<string, FolderLock>();

/**
 * Takes a folder for this process, so that two at once do not mix what they write there. The lock of a process of this
 * machine that is gone is taken over within seconds, one of another machine once nobody has renewed it for 30 s;
 * `onWait` gets a message while it waits.
 */
export async function lockFolder(
  folder: string,
  flag: string,
  onWait: (text: string) => void = () => undefined,
): Promise<FolderLock> {
  const file = join(folder, LOCK_FILE);
  const seen = new Map<string, string>();
  const began = performance.now();
  for (;;)
    try {
      makeFolders(folder);
      return holdLock(file, folder, flag);
    } catch (error) {
      if (!(error instanceof FolderTaken)) throw cannotWrite(error, file, flag);
      const { holder } = error;
      const isHere = holder.owner?.machine === PROCESS.machine;
      const first = seen.get(holder.file);
      // A process elsewhere shows by a renewal that it lives.
      if (isHere ? performance.now() - began >= LOCK_TIMES.patience : first !== undefined && first !== holder.text)
        throw error;
      if (!isHere && first === undefined)
        onWait(`${error.message}; waiting up to ${LOCK_TIMES.stale / 1000} s for a renewal of its lock`);
      seen.set(holder.file, holder.text);
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
}

/** True if a process that is alive, as far as that is known, has taken a folder. */
export function isFolderLocked(folder: string): boolean {
  try {
    const file = join(folder, LOCK_FILE);
    const text = textOf(file);
    return text !== null && isHeld(file, text);
  } catch {
    // What is there is no lock.
    return false;
  }
}

/** Gives a folder back that this process has taken. */
export function unlockFolder(folder: string): void {
  held.get(join(folder, LOCK_FILE))?.release();
}

function holdLock(file: string, folder: string, flag: string): FolderLock {
  const owner: Owner = { ...PROCESS, token: randomBytes(8).toString('hex'), since: new Date().toISOString() };
  take(file, folder, owner);
  // Written through its handle: never into the lock of a process that has taken the folder over.
  const handle = openSync(file, 'r+');
  let renewed = { wall: Date.now(), steady: performance.now() };
  let lost: UsageError | null = null;
  // The clock of the wall goes on while a machine sleeps, and the other one is not set by anybody.
  const isLate = (): boolean =>
    Math.abs(Date.now() - renewed.wall) > LOCK_TIMES.late || performance.now() - renewed.steady > LOCK_TIMES.late;
  const renewOnce = (): void => {
    const text = textOf(file);
    if (ownerOf(text ?? '')?.token !== owner.token) {
      clearInterval(timer);
      lost = lostLock(folder, text);
      return;
    }
    writeSync(handle, textOfLock(owner), 0);
    fsyncSync(handle);
    renewed = { wall: Date.now(), steady: performance.now() };
  };
  const renew = (): void => {
    if (!isLate()) return renewOnce();
    // Another process may be about to take over: it holds the second lock while it does.
    const next = `${file}.next`;
    take(next, folder, owner);
    try {
      renewOnce();
    } finally {
      release(next, owner);
    }
  };
  const timer = setInterval(() => {
    try {
      renew();
    } catch {
      // Tried again; `check` reports that it went on for too long.
    }
  }, LOCK_TIMES.renew);
  timer.unref();
  const lock: FolderLock = {
    check() {
      try {
        if (lost === null && isLate()) renew();
      } catch (error) {
        throw cannotWrite(error, file, flag);
      }
      if (lost !== null) throw lost;
    },
    release() {
      if (held.get(file) !== lock) return;
      held.delete(file);
      clearInterval(timer);
      closeSync(handle);
      release(file, owner);
    },
  };
  held.set(file, lock);
  return lock;
}

/**
 * Exact, also where many try at once: a lock comes into being by link(2), whole and once. That of a process which is gone
 * is replaced only by the holder of a second lock beside it, who looks again before doing so.
 */
function take(file: string, folder: string, owner: Owner): void {
  const aside = `${file}-${owner.token}`;
  writeFileSync(aside, textOfLock(owner));
  try {
    while (!isMade(aside, file, owner)) {
      const text = textOf(file);
      if (text === null) continue;
      if (isHeld(file, text)) throw taken(file, folder, text);
      if (replacesDead(aside, file, folder, owner)) return;
    }
  } finally {
    rmSync(aside, { force: true });
  }
}

function isMade(aside: string, file: string, owner: Owner): boolean {
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
    writeFileSync(file, textOfLock(owner), { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function replacesDead(aside: string, file: string, folder: string, owner: Owner): boolean {
  const next = `${file}.next`;
  const nextOwner = { ...owner, token: `${owner.token}n` };
  take(next, folder, nextOwner);
  try {
    const text = textOf(file);
    if (text === null || isHeld(file, text)) return false;
    renameSync(aside, file);
    return true;
  } finally {
    release(next, nextOwner);
  }
}

function release(file: string, { token }: Owner): void {
  try {
    if (ownerOf(textOf(file) ?? '')?.token === token) rmSync(file, { force: true });
  } catch {
    // What was put in its place meanwhile is not ours.
  }
}

function textOf(file: string): string | null {
  try {
    return readPlainSync(file).toString('latin1');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Hosts are percent-encoded, so that no message shows what a stranger wrote. */
const LOCK = /^(\d+) (\d+|-) ([\w.%~!*'()/:[\]-]+) ([\w.%~!*'()-]+) ([0-9a-f]+n*) ([\dTZ:.-]+) [\dTZ:.-]+\n$/;

/** Locks of earlier versions, which name a process of this machine. */
const EARLIER_LOCK = /^(\d+)(?: (\d+))?\n?$/;

/** Null for what is no lock. */
function ownerOf(text: string): Owner | null {
  const [, earlier, earlierStart = null] = EARLIER_LOCK.exec(text) ?? [];
  if (earlier !== undefined) return { ...PROCESS, pid: Number(earlier), start: earlierStart, token: '', since: '' };
  const [, pid, start = '', machine, host, token, since] = LOCK.exec(text) ?? [];
  if (machine === undefined || host === undefined || token === undefined || since === undefined) return null;
  return { pid: Number(pid), start: start === '-' ? null : start, machine, host, token, since };
}

function textOfLock({ pid, start, machine, host, token, since }: Owner): string {
  return `${pid} ${start ?? '-'} ${machine} ${host} ${token} ${since} ${new Date().toISOString()}\n`;
}

/** Locks of other machines as they were seen last, and since when. */
const observed = new Map<string, { readonly text: string; readonly since: number }>();

function isHeld(file: string, text: string): boolean {
  const owner = ownerOf(text);
  if (owner !== null && owner.machine === PROCESS.machine) {
    // If nothing distinguishes processes with the same pid, our own pid is that of an earlier process.
    const isOurs = owner.pid === PROCESS.pid && owner.start === null;
    return isOurs ? held.has(file) : owner.pid > 0 && isAlive(owner.pid, owner.start);
  }
  // Watched by our own steady clock: the clocks of machines and file servers differ, and jump after a sleep.
  const before = observed.get(file);
  if (before?.text === text) return performance.now() - before.since < LOCK_TIMES.stale;
  observed.set(file, { text, since: performance.now() });
  return true;
}

function holderText(owner: Owner | null): string {
  if (owner === null) return 'another process';
  const { pid, machine, host, since } = owner;
  if (machine !== PROCESS.machine) return `process ${pid} on ${host} since ${since}`;
  return pid === PROCESS.pid ? 'this process' : `another process (${pid})${since === '' ? '' : ` since ${since}`}`;
}

function taken(file: string, folder: string, text: string): FolderTaken {
  const owner = ownerOf(text);
  return new FolderTaken(
    `${folder} is being written to by ${holderText(owner)}, which holds ${file}`,
    `wait for it, or name another folder; if ${owner === null ? 'no assay runs' : `process ${owner.pid} is not assay`}, remove ${file}`,
    { file, text, owner },
  );
}

function lostLock(folder: string, text: string | null): UsageError {
  const who = text === null ? 'its lock was removed' : `${holderText(ownerOf(text))} has taken it over`;
  return new UsageError(
    `${folder} is no longer held by this process: ${who} while this one stood still`,
    'what was answered is kept; once no other process works there, the same command resumes',
  );
}

function cannotWrite(error: unknown, file: string, flag: string): UsageError {
  if (error instanceof UsageError) return error;
  const code = errorCode(error);
  return new UsageError(
    `cannot write ${file} (${code === 'ENOSPC' ? 'the disk is full' : code})`,
    `choose another place with ${flag}`,
  );
}
