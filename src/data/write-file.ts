import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { isAlive } from './is-alive.ts';
import { UsageError } from './problems.ts';
import { errorCode } from './source.ts';

/** For what is nobody's secret: as open as the user's umask lets new folders be. */
export const SHARED = 0o777;

/**
 * Makes a folder and those above it. Node's own `recursive` never returns if the system reports an existing folder as
 * missing, as Linux does under /proc. What is put into it may be anyone's private texts, so only its owner can
 * look unless `mode` allows more; an existing folder stays as it is.
 */
export function makeFolders(folder: string, mode = 0o700): void {
  if (existsSync(folder)) return;
  const scheme = basename(folder);
  if (/^[a-z][a-z\d+.-]+:$/i.test(scheme))
    throw new UsageError(`${scheme}//… is an address, expected a path`, 'write to a local path, then upload it');
  const above = dirname(folder);
  if (above !== folder) makeFolders(above, mode);
  try {
    mkdirSync(folder, { mode });
    // The store has texts, answers and keys: `git add .` must not take it.
    if (basename(folder) === '.assay') writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    // Another process may have been quicker: then there is nothing left to do.
    if (!existsSync(folder)) throw error;
  }
}

/** The end of the name of what is being written, with the process that writes it. */
export const PARTIAL = /\.partial-(\d+)$/;

/** Where a file or folder is while this process writes it. */
export function partialPath(place: string): string {
  return `${resolve(place)}.partial-${process.pid}`;
}

/** Clears away what processes that are gone left half-written in a folder: all of it, or what was to be called `name`. */
export function removePartials(folder: string, name?: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder)) {
    const [end = '', pid] = PARTIAL.exec(entry) ?? [];
    if (pid === undefined || (name !== undefined && entry !== name + end)) continue;
    if (Number(pid) !== process.pid && !isAlive(Number(pid)))
      rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

/** What the user can do where a file cannot be written. */
export type Next = string | ((isDiskFull: boolean) => string);

export interface WriteOptions {
  readonly next?: Next;
  /** Permissions of the file, from its first moment on. */
  readonly mode?: number;
  /** Of folders that are made for it. */
  readonly folderMode?: number;
  /** False: what is there stays, also what somebody else puts there meanwhile. */
  readonly replace?: boolean;
}

/** Text is held until there is so much of it. */
const BLOCK = 1 << 18;
/** A single write takes no more than 2 GiB. */
const MOST_PER_WRITE = 1 << 26;

/**
 * A file that is written piece by piece, aside, and has its name only once it is whole and on the disk. What is there and
 * no file, such as a pipe, is written to as it is: to rename over it would put a file in its place.
 */
export class FileWriter {
  /** Where it is while it is being written. */
  readonly path: string;
  /** As the user knows it. */
  readonly #name: string;
  readonly #file: string;
  readonly #options: WriteOptions;
  #descriptor: number | null = null;
  #held = '';

  constructor(file: string, options: WriteOptions = {}) {
    this.#name = file;
    this.#file = resolve(file);
    this.path = existsSync(file) && !statSync(file).isFile() ? this.#file : partialPath(file);
    this.#options = options;
    this.#guarded(() => {
      makeFolders(dirname(this.#file), options.folderMode);
      if (this.#isAside) rmSync(this.path, { force: true });
      this.#descriptor = openSync(this.path, this.#isAside ? 'wx' : 'w', options.mode);
    });
  }

  write(piece: string | Uint8Array): void {
    if (typeof piece === 'string') this.#held += piece;
    else this.#flush(piece);
    if (this.#held.length >= BLOCK) this.#flush();
  }

  /** Gives the file its name; false where `replace` is and something is there. */
  finish(): boolean {
    const descriptor = this.#descriptor;
    if (descriptor === null) return false;
    this.#flush();
    return this.#guarded(() => {
      if (this.#isAside) fsyncSync(descriptor);
      this.#close();
      return !this.#isAside || this.#rename();
    });
  }

  /** Nothing half-written stays behind. */
  abandon(): void {
    this.#close();
    if (this.#isAside) rmSync(this.path, { force: true });
  }

  get #isAside(): boolean {
    return this.path !== this.#file;
  }

  #flush(...more: Uint8Array[]): void {
    const descriptor = this.#descriptor;
    if (descriptor === null) throw new Error('the file is closed');
    const pieces = [Buffer.from(this.#held, 'utf8'), ...more];
    this.#held = '';
    this.#guarded(() => {
      for (const piece of pieces)
        for (let at = 0; at < piece.length;)
          at += writeSync(descriptor, piece, at, Math.min(MOST_PER_WRITE, piece.length - at));
    });
  }

  /** A link, unlike a new name, never replaces anything; some file systems have none. */
  #rename(): boolean {
    if (this.#options.replace === false) {
      try {
        linkSync(this.path, this.#file);
        rmSync(this.path);
        return true;
      } catch (error) {
        if (errorCode(error) === 'EEXIST') {
          rmSync(this.path);
          return false;
        }
        if (existsSync(this.#file)) throw error;
      }
    }
    renameSync(this.path, this.#file);
    return true;
  }

  #close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    if (descriptor !== null) closeSync(descriptor);
  }

  #guarded<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (error instanceof UsageError) throw error;
      try {
        this.abandon();
      } catch {
        // What cannot be written can often not be cleared away either: the first fault is the one to report.
      }
      const { next = 'choose another place' } = this.#options;
      const isFull = errorCode(error) === 'ENOSPC';
      throw new UsageError(
        `cannot write ${this.#name} (${isFull ? 'the disk is full' : errorCode(error)})`,
        typeof next === 'string' ? next : next(isFull),
      );
    }
  }
}

/** Writes a file that is there whole or not at all; false where something is there that must not be replaced. */
export function writeAside(file: string, content: string | Uint8Array, options: WriteOptions = {}): boolean {
  const out = new FileWriter(file, options);
  out.write(content);
  return out.finish();
}

/** A file of a result: its name and what is in it; null where the result has no such file. */
export type ResultFile = readonly [name: string, content: string | Uint8Array | null];

/**
 * Writes the files of one result into a folder: all of them aside first, then all of them under their names, so that a
 * failure leaves nothing half. A file that this result does not have is cleared away, lest an older one passes for it.
 */
export function writeFiles(folder: string, files: readonly ResultFile[], options: WriteOptions = {}): void {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`--out ${folder}: this is not a folder`, 'name a folder');
  const writers: FileWriter[] = [];
  try {
    for (const [name, content] of files) {
      if (content === null) continue;
      const out = new FileWriter(join(folder, name), options);
      writers.push(out);
      out.write(content);
    }
    for (const out of writers) out.finish();
  } catch (error) {
    for (const out of writers) out.abandon();
    throw error;
  }
  for (const [name, content] of files) if (content === null) rmSync(join(folder, name), { force: true });
}
