import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { InputError } from '../../data/problems.ts';
import { LOG_LINES, type LogEntry } from '../run/answer-log.ts';
import { openLineLog } from '../run/line-log.ts';

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
    async read(): Promise<LogEntry[]> {
      const entries: LogEntry[] = [];
      for (const file of logParts(folder)) entries.push(...(await newLines(file)));
      return entries;
    },
  };

  async function newLines(file: string): Promise<LogEntry[]> {
    const offset = offsets.get(file) ?? 0;
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      if (size <= offset) return [];
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size - offset), 0, size - offset, offset);
      // A worker may be in the middle of a line, or was killed there.
      const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      offsets.set(file, offset + whole);
      const lines = buffer.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
      return lines.map((line) => parsedLine(file, line));
    } finally {
      await handle.close();
    }
  }
}

function parsedLine(file: string, line: string): LogEntry {
  try {
    return LOG_LINES.schema.parse(JSON.parse(line));
  } catch {
    throw new InputError([{ file, line: null, message: LOG_LINES.message, next: LOG_LINES.next }]);
  }
}

/** A worker's own part. */
export function logPartWriter(folder: string, worker: string) {
  const file = join(folder, `log-${worker}.jsonl`);
  let log: ReturnType<typeof openLineLog<LogEntry>> | null = null;
  const close = async (): Promise<void> => {
    const opened = log;
    log = null;
    await (await opened)?.close();
  };
  return {
    /** Resolves when the line is on the disk. */
    async append(entry: LogEntry): Promise<void> {
      // A coordinator that has ended took the part away: an answer that is late gets a new one.
      if (log !== null && !existsSync(file)) await close();
      log ??= openLineLog<LogEntry>(file, LOG_LINES, () => undefined);
      await (await log).append(entry);
    },
    close,
  };
}
