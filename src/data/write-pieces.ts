import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { makeFolders } from './make-folders.ts';
import { UsageError } from './problems.ts';
import { errorCode } from './source.ts';

/** What the user can do where a file cannot be written. */
export type Next = string | ((isDiskFull: boolean) => string);

/**
 * A file that is written piece by piece, aside, and has its name only once it is whole. What is there and no file, such as
 * a pipe, is written to as it is: to rename over it would put a file in its place.
 */
export class PiecewiseFile {
  /** As the user knows it. */
  readonly #name: string;
  readonly #file: string;
  readonly #aside: string;
  readonly #next: Next;
  #descriptor: number | null = null;

  constructor(file: string, next: Next = 'choose another place') {
    this.#name = file;
    this.#file = resolve(file);
    this.#aside = isOther(file) ? this.#file : `${this.#file}.partial-${process.pid}`;
    this.#next = next;
    this.#guarded(() => {
      makeFolders(dirname(this.#file));
      this.#descriptor = openSync(this.#aside, 'w');
    });
  }

  write(piece: string | Uint8Array): void {
    const descriptor = this.#descriptor;
    if (descriptor === null) throw new Error('the file is closed');
    this.#guarded(() => {
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    });
  }

  finish(): void {
    const descriptor = this.#descriptor;
    if (descriptor === null) return;
    this.#guarded(() => {
      if (this.#isAside) fsyncSync(descriptor);
      this.#close();
      if (this.#isAside) renameSync(this.#aside, this.#file);
    });
  }

  /** Nothing half-written stays behind. */
  abandon(): void {
    this.#close();
    if (this.#isAside) rmSync(this.#aside, { force: true });
  }

  get #isAside(): boolean {
    return this.#aside !== this.#file;
  }

  #close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    if (descriptor !== null) closeSync(descriptor);
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (error instanceof UsageError) throw error;
      this.#tidy();
      const isFull = errorCode(error) === 'ENOSPC';
      const next = typeof this.#next === 'string' ? this.#next : this.#next(isFull);
      throw new UsageError(`cannot write ${this.#name} (${isFull ? 'the disk is full' : errorCode(error)})`, next);
    }
  }

  /** What cannot be written can often not be cleared away either: the first fault is the one to tell. */
  #tidy(): void {
    try {
      this.abandon();
    } catch {
      // Said by the fault that brought us here.
    }
  }
}

function isOther(file: string): boolean {
  return existsSync(file) && !statSync(file).isFile();
}
