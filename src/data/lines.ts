import { isUtf8 } from 'node:buffer';

import type { Problems } from './problems.ts';

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
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Lines of UTF-8 bytes, split at LF (and CR LF) only: U+2028 and U+0085 are ordinary characters inside valid JSON,
 * which is why node:readline is not used. Blank lines are skipped but counted. Yields one batch a chunk.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, options: LineOptions): AsyncGenerator<TextRecord[]> {
  let line = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let tooLong = false;
  let first = true;

  const take = (batch: TextRecord[], bytes: Buffer): void => {
    line += 1;
    const record = decodeLine(bytes, line, options);
    if (record !== null) batch.push(record);
  };

  for await (const chunk of chunks) {
    const batch: TextRecord[] = [];
    let from = first ? byteOrderMarkLength(chunk, options) : 0;
    first = false;
    for (let at = chunk.indexOf(NEWLINE, from); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at);
      from = at + 1;
      if (tooLong) {
        line += 1;
        tooLong = false;
      } else if (heldBytes === 0) {
        take(batch, piece);
      } else {
        take(batch, Buffer.concat([...held, piece]));
      }
      held = [];
      heldBytes = 0;
    }
    if (from < chunk.length && !tooLong) {
      // A copy, because the stream may reuse the chunk's memory.
      held.push(Buffer.from(chunk.subarray(from)));
      heldBytes += chunk.length - from;
      if (heldBytes > options.maxBytes) {
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

function decodeLine(bytes: Buffer, line: number, options: LineOptions): TextRecord | null {
  let end = bytes.length;
  if (end > 0 && bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
  if (end === 0) return null;
  if (end > options.maxBytes) {
    reportLong(line, options);
    return null;
  }
  const content = end === bytes.length ? bytes : bytes.subarray(0, end);
  const text = decodeUtf8(content, line, options);
  return text === null || text.trim() === '' ? null : { text, line };
}

/** Decodes strictly: a replacement character would be a change of the data that nobody sees. */
export function decodeUtf8(bytes: Buffer, line: number, options: LineOptions): string | null {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  options.problems.add({
    file: options.file,
    line,
    message: 'the bytes are not UTF-8',
    next: 'convert the file, for example: iconv -f WINDOWS-1252 -t UTF-8',
  });
  return null;
}

function reportLong(line: number, options: LineOptions): void {
  options.problems.add({
    file: options.file,
    line,
    message: `the record is longer than ${Math.floor(options.maxBytes / 1048576)} MiB`,
    next: 'one case per line is expected; raise the limit with --set data.maxRecordMiB=N if it is meant to be so long',
  });
}

/** Skips a UTF-8 mark; a UTF-16 or UTF-32 one is refused with what to do. */
export function byteOrderMarkLength(chunk: Buffer, options: Pick<LineOptions, 'file' | 'problems'>): number {
  if (chunk.length >= 3 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) return 3;
  const utf16 =
    chunk.length >= 2 && ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff));
  if (utf16) {
    options.problems.add({
      file: options.file,
      line: 1,
      message: 'the file is UTF-16, expected UTF-8',
      next: 'convert it, for example: iconv -f UTF-16 -t UTF-8',
    });
    options.problems.throwIfAny();
  }
  return 0;
}
