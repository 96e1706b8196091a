import { readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { lineSplitter } from '../../data/lines.ts';
import { InputError } from '../../data/problems.ts';
import { LOG_LINES, type LogEntry, type LogLine } from '../run/answer-log.ts';
import { isCancelledLine, openLineLog } from '../run/line-log.ts';

const PART_NAME = /^log-[\w-]+\.jsonl$/;

/** The answers of workers, a file each, until the run's own log has them. */
export function logParts(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => PART_NAME.test(name))
    .sort()
    .map((name) => join(folder, name));
}

export function removeLogParts(folder: string): void {
  for (const file of logParts(folder)) rmSync(file, { force: true });
}

/** One attempt of one item: the same line, wherever it is. */
export function attemptKey({ item, repeat, startedAt, endedAt }: LogEntry): string {
  return JSON.stringify([item, repeat, startedAt, endedAt]);
}

/**
 * Follows the parts: each call gets the whole lines that are new. Files are opened again each time, so that a file system
 * over the network shows what other machines have written.
 */
export function logPartReader(folder: string) {
  const offsets = new Map<string, number>();
  return {
    async read(): Promise<LogLine[]> {
      const lines: LogLine[] = [];
      for (const file of logParts(folder)) for (const line of await newLines(file)) lines.push(line);
      return lines;
    },
  };

  async function newLines(file: string): Promise<LogLine[]> {
    const offset = offsets.get(file) ?? 0;
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      if (size <= offset) return [];
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size - offset), 0, size - offset, offset);
      // A worker may be in the middle of a line, or was killed there.
      const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      offsets.set(file, offset + whole);
      const lines: Buffer[] = [];
      lineSplitter((line) => void lines.push(line)).push(buffer.subarray(0, whole));
      return lines.filter((line) => !isCancelledLine(line)).map((line) => parsedLine(file, line));
    } finally {
      await handle.close();
    }
  }
}

function parsedLine(file: string, line: Buffer): LogLine {
  try {
    return LOG_LINES.schema.parse(JSON.parse(line.toString('utf8')));
  } catch {
    throw new InputError([{ file, line: null, message: LOG_LINES.message, next: LOG_LINES.next }]);
  }
}

/** The part of a worker in a folder: one handle, whatever sessions come and go. */
export function logPartWriter(folder: string, worker: string) {
  const file = join(folder, `log-${worker}.jsonl`);
  let log: ReturnType<typeof openLineLog<LogLine>> | null = null;
  const closing: Promise<void>[] = [];
  const close = async (opened: typeof log): Promise<void> => {
    if (opened === null || opened !== log) return;
    log = null;
    closing.push(opened.then((lines) => lines.close()));
    await Promise.all(closing);
  };
  return {
    /** Resolves when the line is on the disk. */
    async append(line: LogLine): Promise<void> {
      for (;;) {
        const opened = (log ??= openLineLog<LogLine>(file, LOG_LINES, () => undefined));
        const lines = await opened;
        await lines.append(line);
        if (await lines.isInPlace()) return;
        // A coordinator that has ended took the part away: an answer that is late gets a new one.
        await close(opened);
      }
    },
    close: () => close(log),
  };
}
