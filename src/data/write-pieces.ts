import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import { makeFolders } from './make-folders.ts';
import { UsageError } from './problems.ts';
import { errorCode } from './source.ts';

/** A file that is written piece by piece, aside, and has its name only once it is whole. */
export class PiecewiseFile {
  readonly #file: string;
  readonly #aside: string;
  readonly #next: string;
  #descriptor: number | null;

  /** `next` is what the user can do where it cannot be written. */
  constructor(file: string, next = 'choose another place') {
    this.#file = file;
    this.#aside = `${file}.partial-${process.pid}`;
    this.#next = next;
    this.#descriptor = this.#guarded(() => {
      makeFolders(dirname(file));
      return openSync(this.#aside, 'w');
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
      fsyncSync(descriptor);
      this.#close();
      renameSync(this.#aside, this.#file);
    });
  }

  /** Nothing half-written stays behind. */
  abandon(): void {
    this.#close();
    rmSync(this.#aside, { force: true });
  }

  #close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #guarded<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      this.abandon();
      const code = errorCode(error);
      throw new UsageError(`cannot write ${this.#file} (${code === 'ENOSPC' ? 'the disk is full' : code})`, this.#next);
    }
  }
}
