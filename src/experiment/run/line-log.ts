import { type FileHandle, open } from 'node:fs/promises';

import { UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';
import { LineSplitter } from '../line-splitter.ts';

export interface LinePlace {
  readonly offset: number;
  readonly bytes: number;
}

interface Waiting {
  readonly line: Buffer;
  readonly done: (place: LinePlace) => void;
  readonly failed: (error: unknown) => void;
}

const CHUNK = 1 << 18;

/**
 * A file of JSON lines that only grows. A line counts once it is on the disk: `append` resolves then and not before.
 * Lines that come together share one sync. What a kill left of the last line is cut off when the file is opened.
 */
export class LineLog {
  readonly #file: FileHandle;
  readonly #path: string;
  #end: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;
  /** Why nothing more is written: half a line in the middle would spoil all behind it. */
  #broken: UsageError | null = null;

  private constructor(file: FileHandle, path: string, end: number) {
    this.#file = file;
    this.#path = path;
    this.#end = end;
  }

  /** `read` is told every whole line that is there already. */
  static async open(path: string, read: (line: string, place: LinePlace, number: number) => void): Promise<LineLog> {
    let file: FileHandle;
    try {
      file = await open(path, 'a+');
    } catch (error) {
      throw cannotWrite(path, error);
    }
    try {
      const end = await scan(file, read);
      // Half a line at the end: the item it speaks of has no outcome yet.
      await file.truncate(end);
      return new LineLog(file, path, end);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves when the line is on the disk. */
  append(value: unknown): Promise<LinePlace> {
    return new Promise((done, failed) => {
      this.#waiting.push({ line: Buffer.from(`${JSON.stringify(value)}\n`, 'utf8'), done, failed });
      this.#writing ??= this.#drain();
    });
  }

  async readAt({ offset, bytes }: LinePlace): Promise<string> {
    const buffer = Buffer.allocUnsafe(bytes);
    for (let at = 0; at < bytes;) {
      const { bytesRead } = await this.#file.read(buffer, at, bytes - at, offset + at);
      if (bytesRead === 0) throw new Error(`${this.#path} became shorter while it was read`);
      at += bytesRead;
    }
    return buffer.toString('utf8');
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  async #drain(): Promise<void> {
    // Whoever comes in the same turn goes along.
    await new Promise((resume) => setImmediate(resume));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#broken !== null) throw this.#broken;
        const places = batch.map(({ line }) => {
          const place = { offset: this.#end, bytes: line.length - 1 };
          this.#end += line.length;
          return place;
        });
        await this.#file.appendFile(batch.length === 1 ? batch[0]!.line : Buffer.concat(batch.map(({ line }) => line)));
        await this.#file.datasync();
        batch.forEach(({ done }, at) => done(places[at]!));
      } catch (error) {
        this.#broken ??= cannotWrite(this.#path, error);
        for (const { failed } of batch) failed(this.#broken);
      }
    }
    this.#writing = null;
  }
}

function cannotWrite(path: string, error: unknown): UsageError {
  const code = errorCode(error);
  return new UsageError(
    `cannot write ${path} (${code === 'ENOSPC' ? 'the disk is full' : code})`,
    code === 'ENOSPC'
      ? 'free some space; the same command then goes on where it was'
      : 'choose another place with --out',
  );
}

/** Where the last whole line ends. */
async function scan(file: FileHandle, read: (line: string, place: LinePlace, number: number) => void): Promise<number> {
  const lines = new LineSplitter((line, { start, number }) =>
    read(line.toString('utf8'), { offset: start, bytes: line.length }, number),
  );
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
    if (bytesRead === 0) return lines.start;
    lines.push(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}
