import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

import type { z } from 'zod';

import { lineSplitter } from '../../data/lines.ts';
import { InputError, UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';

export interface LinePlace {
  readonly offset: number;
  readonly bytes: number;
}

/** What the lines of a log are, and what to say of one that is not. */
export interface LineKind<T> {
  readonly schema: z.ZodType<T>;
  readonly message: string;
  readonly next: string;
}

const CHUNK = 1 << 18;

/**
 * A file of JSON lines that only grows. A line counts once it is on the disk: `append` resolves then and not before.
 * Lines that come together share one sync. What a kill left of the last line is cut off when the file is opened.
 */
export class LineLog<T> {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #kind: LineKind<T>;
  #end = 0;
  #held: Buffer[] = [];
  /** Of the lines that are held; null where there are none. */
  #next: Promise<void> | null = null;
  /** Fails for good with the first line that cannot be written: half a line would spoil all behind it. */
  #written = Promise.resolve();

  private constructor(file: FileHandle, path: string, kind: LineKind<T>) {
    this.#file = file;
    this.#path = path;
    this.#kind = kind;
  }

  /** `read` is told every whole line that is there already. */
  static async open<T>(
    path: string,
    kind: LineKind<T>,
    read: (value: T, place: LinePlace) => void,
  ): Promise<LineLog<T>> {
    const file = await open(path, 'a+').catch((error: unknown) => {
      throw cannotWrite(path, error);
    });
    const log = new LineLog(file, path, kind);
    try {
      await log.#scan(read);
      return log;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves when the line is on the disk. */
  async append(value: T): Promise<LinePlace> {
    const line = Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
    const place = { offset: this.#end, bytes: line.length - 1 };
    this.#end += line.length;
    this.#held.push(line);
    this.#next ??= this.#written = this.#written.then(() => this.#write());
    await this.#next;
    return place;
  }

  async readAt({ offset, bytes }: LinePlace): Promise<T> {
    const buffer = Buffer.allocUnsafe(bytes);
    for (let at = 0; at < bytes;) {
      const { bytesRead } = await this.#file.read(buffer, at, bytes - at, offset + at);
      if (bytesRead === 0) throw new Error(`${this.#path} became shorter while it was read`);
      at += bytesRead;
    }
    return this.#parsed(buffer, null);
  }

  async close(): Promise<void> {
    await this.#written.catch(() => undefined);
    await this.#file.close();
  }

  async #write(): Promise<void> {
    // Whoever comes in the same turn goes along.
    await setImmediate();
    const lines = Buffer.concat(this.#held);
    this.#held = [];
    this.#next = null;
    try {
      await this.#file.appendFile(lines);
      await this.#file.datasync();
    } catch (error) {
      throw cannotWrite(this.#path, error);
    }
  }

  async #scan(read: (value: T, place: LinePlace) => void): Promise<void> {
    const lines = lineSplitter((line, start, number) =>
      read(this.#parsed(line, number), { offset: start, bytes: line.length }),
    );
    for (let position = 0, bytesRead = -1; bytesRead !== 0; position += bytesRead) {
      const chunk = await this.#file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
      bytesRead = chunk.bytesRead;
      lines.push(chunk.buffer.subarray(0, bytesRead));
    }
    // Half a line at the end: the item it speaks of has no outcome yet.
    this.#end = lines.start();
    await this.#file.truncate(this.#end);
  }

  #parsed(line: Buffer, number: number | null): T {
    const { schema, message, next } = this.#kind;
    try {
      return schema.parse(JSON.parse(line.toString('utf8')));
    } catch {
      throw new InputError([{ file: this.#path, line: number, message, next }]);
    }
  }
}

function cannotWrite(path: string, error: unknown): UsageError {
  const isFull = errorCode(error) === 'ENOSPC';
  return new UsageError(
    `cannot write ${path} (${isFull ? 'the disk is full' : errorCode(error)})`,
    isFull ? 'free some space; the same command then goes on where it was' : 'choose another place with --out',
  );
}
