import { constants } from 'node:buffer';

import type { Problems } from './problems.ts';
import { byteOrderMarkLength, decodeUtf8 } from './utf8.ts';
import { significant } from '../text/figures.ts';

/** A piece of a file that stands for itself: a line, or one element of a JSON array. */
export interface TextRecord {
  readonly text: string;
  readonly line: number;
}

export interface LineOptions {
  readonly file: string;
  readonly problems: Problems;
  /** Longest record taken, in bytes: one runaway line must not take the machine down. */
  readonly maxBytes: number;
  /** What to do about a longer one, where it is not the setting of a recipe. */
  readonly tooLong?: string;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Lines of UTF-8 bytes, split at LF (and CR LF) only: U+2028 and U+0085 are ordinary characters inside valid JSON,
 * which is why node:readline is not used. Blank lines are skipped but counted, a byte order mark is dropped. Yields one batch
 * a chunk.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, options: LineOptions): AsyncGenerator<TextRecord[]> {
  const most = mostBytes(options);
  let line = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let tooLong = false;

  const take = (batch: TextRecord[], bytes: Buffer): void => {
    line += 1;
    const record = decodeLine(bytes, line, most, options);
    if (record !== null) batch.push(record);
  };

  for await (const chunk of chunks) {
    const batch: TextRecord[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at);
      from = at + 1;
      if (tooLong) {
        line += 1;
        tooLong = false;
      } else if (heldBytes === 0) {
        take(batch, piece);
      } else {
        held.push(piece);
        take(batch, Buffer.concat(held));
        held = [];
        heldBytes = 0;
      }
      // Blank lines that follow, of which a hostile file has millions.
      for (; chunk[from] === NEWLINE; from += 1) line += 1;
    }
    if (from < chunk.length && !tooLong) {
      // A copy, because the stream may reuse the chunk's memory.
      held.push(Buffer.from(chunk.subarray(from)));
      heldBytes += chunk.length - from;
      // One byte more may be the carriage return of the line's end.
      if (heldBytes > most + 1) {
        tooLong = true;
        held = [];
        heldBytes = 0;
        reportLong(line + 1, options);
      }
    }
    yield batch;
  }
  if (heldBytes > 0) {
    const batch: TextRecord[] = [];
    take(batch, Buffer.concat(held));
    yield batch;
  }
}

/** The same of a text that is held as a whole. */
export function* textLines(text: string): Generator<TextRecord> {
  let line = 1;
  for (let from = 0; from < text.length; line += 1) {
    const at = text.indexOf('\n', from);
    const written = at === -1 ? text.slice(from) : text.slice(from, at);
    if (written.trim() !== '') yield { text: written, line };
    from = at === -1 ? text.length : at + 1;
  }
}

function decodeLine(bytes: Buffer, line: number, most: number, options: LineOptions): TextRecord | null {
  const start = line === 1 ? byteOrderMarkLength(bytes) : 0;
  let end = bytes.length;
  if (end > start && bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
  if (isBlank(bytes, start, end)) return null;
  if (end - start > most) {
    reportLong(line, options);
    return null;
  }
  const content = start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
  const text = decodeUtf8(content, line, options.file, options.problems);
  return text === null || text.trim() === '' ? null : { text, line };
}

/** Without decoding: a hostile file has millions of such lines. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at += 1;
  return at === end;
}

/** A record becomes one string, and strings have a greatest length. */
export function mostBytes({ maxBytes }: Pick<LineOptions, 'maxBytes'>): number {
  return Math.max(1, Math.floor(Math.min(maxBytes, constants.MAX_STRING_LENGTH)));
}

export function reportLong(line: number, options: LineOptions): void {
  const most = mostBytes(options);
  options.problems.add({
    file: options.file,
    line,
    message: `the record is longer than ${significant(most / 1048576)} MiB`,
    next:
      options.tooLong ??
      (most < Math.floor(options.maxBytes)
        ? 'longer ones cannot be read; one case per record is expected'
        : 'one case per record is expected; if it is meant to be so long: --set data.maxRecordMiB=N'),
  });
}
