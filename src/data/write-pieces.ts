import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { removeDeadPartials } from './dead-partials.ts';
import { makeFolders } from './make-folders.ts';
import { UsageError } from './problems.ts';
import { errorCode } from './source.ts';

/**
 * A file that is written piece by piece, aside, and has its name only once it is whole. What is there and no file, such as
 * a pipe, is written to as it is: to rename over it would put a file in its place.
 */
export class PiecewiseFile {
  readonly #file: string;
  readonly #aside: string;
  readonly #next: string;
  #descriptor: number | null = null;

  /** `next` is what the user can do where it cannot be written. */
  constructor(file: string, next = 'choose another place') {
    this.#file = resolve(file);
    this.#aside = isOther(file) ? this.#file : `${this.#file}.partial-${process.pid}`;
    this.#next = next;
    this.#guarded(() => {
      makeFolders(dirname(this.#file));
      if (this.#isAside) removeDeadPartials(this.#file);
      this.#descriptor = openSync(this.#aside, 'w');
    });
  }

  write(piece: string): void {
    const descriptor = this.#descriptor;
    if (descriptor === null) throw new Error('the file is closed');
    this.#guarded(() => {
      const bytes = Buffer.from(piece, 'utf8');
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
      const code = errorCode(error);
      this.#tidy();
      throw new UsageError(`cannot write ${this.#file} (${code === 'ENOSPC' ? 'the disk is full' : code})`, this.#next);
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
