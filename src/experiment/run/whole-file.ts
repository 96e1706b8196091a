import { type FileHandle, open, rename, rm } from 'node:fs/promises';

import { UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';

const BLOCK = 1 << 18;

/** A file of lines that is there whole or not at all. */
export class WholeFile {
  readonly #path: string;
  readonly #aside: string;
  #file: FileHandle | null = null;
  #held: string[] = [];
  #heldLength = 0;

  constructor(path: string) {
    this.#path = path;
    this.#aside = `${path}.partial-${process.pid}`;
  }

  async line(text: string): Promise<void> {
    this.#held.push(text, '\n');
    this.#heldLength += text.length;
    if (this.#heldLength >= BLOCK) await this.#write();
  }

  async finish(): Promise<void> {
    await this.#write();
    await this.#guarded(async () => {
      await this.#file?.datasync();
      await this.#file?.close();
      this.#file = null;
      await rename(this.#aside, this.#path);
    });
  }

  async abandon(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    await rm(this.#aside, { force: true });
  }

  async #write(): Promise<void> {
    await this.#guarded(async () => {
      this.#file ??= await open(this.#aside, 'w');
      await this.#file.appendFile(this.#held.join(''));
      this.#held = [];
      this.#heldLength = 0;
    });
  }

  async #guarded(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const code = errorCode(error);
      throw new UsageError(
        `cannot write ${this.#path} (${code === 'ENOSPC' ? 'the disk is full' : code})`,
        code === 'ENOSPC' ? 'free some space, then run the same command again' : 'choose another place with --out',
      );
    }
  }
}
