import { open, stat } from 'node:fs/promises';
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
/** CAN of ASCII, which stands for "disregard the data before it": ends a line that a kill has cut. */
const CANCEL = 0x18;

/** True for the remains of a killed writer's line. */
export function isCancelledLine(line: Uint8Array): boolean {
  return line.at(-1) === CANCEL;
}

/**
 * A file of JSON lines that only grows; those that come together share one sync. `read` gets every whole line that is
 * there already. The remains of a killed writer's last line are cancelled by the next line, never cut off: another handle
 * may be in the middle of that line.
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
  let held: Buffer[] = [];
  try {
    const lines = lineSplitter((line, start, number) => {
      if (!isCancelledLine(line)) read(parsed(line, number), { offset: start, bytes: line.length });
    });
    const chunks: AsyncIterable<Buffer> = file.createReadStream({ autoClose: false, start: 0, highWaterMark: CHUNK });
    for await (const chunk of chunks) {
      lines.push(chunk);
      end += chunk.length;
    }
    if (lines.start() < end) {
      held.push(Buffer.of(CANCEL, 0x0a));
      end += 2;
    }
  } catch (error) {
    await file.close();
    throw error;
  }

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
    // In one write, where appendFile would make one of each half megabyte and other handles could write in between.
    for (let at = 0; at < lines.length;) at += (await file.write(lines, at).catch(cannotWrite)).bytesWritten;
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
    /** False once the file was removed or replaced, or the log is closed. */
    async isInPlace(): Promise<boolean> {
      const [opened, named] = await Promise.all([file.stat(), stat(path)].map((facts) => facts.catch(() => null)));
      return opened != null && opened.ino === named?.ino;
    },
    async close(): Promise<void> {
      await written.catch(() => undefined);
      await file.close();
    },
  };
}
