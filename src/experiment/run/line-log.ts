import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

import type { z } from 'zod';

import { lineSplitter } from '../../data/lines.ts';
import { InputError, UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';

export type LinePlace = Readonly<Record<'offset' | 'bytes', number>>;

interface LineKind<T> {
  readonly schema: z.ZodType<T>;
  readonly message: string;
  readonly next: string;
}

const CHUNK = 1 << 18;

/**
 * A file of JSON lines that only grows; those that come together share one sync. `read` gets every whole line that is
 * there already; what a kill left of the last line is cut off.
 */
export async function openLineLog<T>(
  path: string,
  { schema, message, next }: LineKind<T>,
  read: (value: T, place: LinePlace) => void,
) {
  const cannotWrite = (error: unknown): never => {
    const isFull = errorCode(error) === 'ENOSPC';
    throw new UsageError(
      `cannot write ${path} (${isFull ? 'the disk is full' : errorCode(error)})`,
      isFull ? 'free some space; the same command then resumes the run' : 'choose another place with --out',
    );
  };
  const parsed = (line: Buffer, number: number | null): T => {
    try {
      return schema.parse(JSON.parse(line.toString('utf8')));
    } catch {
      throw new InputError([{ file: path, line: number, message, next }]);
    }
  };
  const file = await open(path, 'a+').catch(cannotWrite);
  let end = 0;
  try {
    const lines = lineSplitter((line, start, number) =>
      read(parsed(line, number), { offset: start, bytes: line.length }),
    );
    const chunks: AsyncIterable<Buffer> = file.createReadStream({ autoClose: false, start: 0, highWaterMark: CHUNK });
    for await (const chunk of chunks) lines.push(chunk);
    // Half a line at the end: the item it speaks of has no outcome yet.
    end = lines.start();
    await file.truncate(end);
  } catch (error) {
    await file.close();
    throw error;
  }

  let held: Buffer[] = [];
  /** Of the lines that are held; null if there are none. */
  let ahead: Promise<void> | null = null;
  /** Fails for good with the first line that cannot be written: half a line would spoil all behind it. */
  let written = Promise.resolve();
  const write = async (): Promise<void> => {
    // Lines added in the same turn are written together.
    await setImmediate();
    const lines = Buffer.concat(held);
    held = [];
    ahead = null;
    await file.appendFile(lines).catch(cannotWrite);
    await file.datasync().catch(cannotWrite);
  };
  return {
    /** Resolves when the line is on the disk. */
    async append(value: T): Promise<LinePlace> {
      const line = Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
      const place = { offset: end, bytes: line.length - 1 };
      end += line.length;
      held.push(line);
      ahead ??= written = written.then(write);
      await ahead;
      return place;
    },
    async readAt({ offset, bytes }: LinePlace): Promise<T> {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, offset);
      if (bytesRead < bytes) throw new Error(`${path} became shorter while it was read`);
      return parsed(buffer, null);
    },
    async close(): Promise<void> {
      await written.catch(() => undefined);
      await file.close();
    },
  };
}
