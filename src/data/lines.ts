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
const NOTHING = Buffer.alloc(0);
const CARRIAGE_RETURN = 0x0d;

/**
 * Lines out of the pieces in which bytes arrive, split at LF only. Each is handed on with the place of its first byte and
 * its number, from 1. Empty lines are counted and skipped; a line that is too long is counted and not held.
 */
export function lineSplitter(
  onLine: (line: Buffer, start: number, number: number) => void,
  longest = Infinity,
  onLong: (number: number) => void = () => undefined,
) {
  let held: Buffer[] = [];
  let bytes = 0;
  let start = 0;
  let number = 1;
  const isLong = (piece: Buffer): boolean => {
    const wasLong = bytes > longest;
    bytes += piece.length;
    if (bytes > longest && !wasLong) onLong(number);
    return bytes > longest;
  };
  /** The line ends with this, also without a line break. */
  const end = (last: Buffer = NOTHING): void => {
    const isWhole = bytes === 0;
    if (!isLong(last) && bytes > 0) onLine(isWhole ? last : Buffer.concat([...held, last]), start, number);
    if (!isWhole) held = [];
    start += bytes + 1;
    number += 1;
    bytes = 0;
  };
  const push = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      end(chunk.subarray(from, at));
      // A hostile file has millions of empty lines.
      for (from = at + 1; chunk[from] === NEWLINE; from += 1) end();
    }
    // A copy, because the stream may reuse the chunk's memory.
    const rest = Buffer.from(chunk.subarray(from));
    if (rest.length > 0 && !isLong(rest)) held.push(rest);
  };
  return {
    push,
    end,
    /** Where the line begins that has not ended yet. */
    start: () => start,
    /** Its number. */
    number: () => number,
    /** Lines that were read elsewhere, between two lines. */
    skip: (lines: number): void => {
      number += lines;
    },
  };
}

/** Reads a line from its bytes, of which nobody knows whether they are UTF-8; null for one that it does not know. */
export type ScanLine<T> = (bytes: Buffer, line: number) => T | null;

/** What does not count as length: a byte order mark before a line, a carriage return at its end. */
const UNCOUNTED = 4;

/**
 * Lines of UTF-8 bytes, split at LF (and CR LF) only: U+2028 and U+0085 are ordinary characters inside valid JSON,
 * which is why node:readline is not used. Blank lines are skipped but counted, a byte order mark is dropped. What `scan`
 * reads is not decoded.
 */
export async function* readLines<T = never>(
  chunks: AsyncIterable<Buffer>,
  options: LineOptions,
  scan?: ScanLine<T>,
): AsyncGenerator<(TextRecord | T)[]> {
  const lines = lineReader(options, scan);
  for await (const chunk of chunks) {
    lines.push(chunk);
    yield lines.take();
  }
  lines.end();
  yield lines.take();
}

/** The same for bytes that are pushed; `take` gives the lines that ended. */
export function lineReader<T>(options: LineOptions, scan?: ScanLine<T>) {
  const most = mostBytes(options);
  let batch: (TextRecord | T)[] = [];
  const lines = lineSplitter(
    (bytes, _, line) => {
      const scanned = bytes.length <= most ? (scan?.(bytes, line) ?? null) : null;
      const record = scanned ?? decodeLine(bytes, line, most, options);
      if (record !== null) batch.push(record);
    },
    most + UNCOUNTED,
    (line) => reportLong(line, options),
  );
  const take = (): (TextRecord | T)[] => {
    const taken = batch;
    batch = [];
    return taken;
  };
  return { ...lines, take };
}

/** Bytes of a file. A line belongs to the range that has its first byte. */
export type LineRange = Readonly<Record<'from' | 'to', number>>;

/** The lines of a range as they are; of the lines around it nothing but their ends, so that numbers of lines stay right. */
export async function* linesWithin(chunks: AsyncIterable<Buffer>, { from, to }: LineRange): AsyncGenerator<Buffer> {
  let stage: 'before' | 'within' | 'after' = from > 0 ? 'before' : to > 0 ? 'within' : 'after';
  let start = 0;
  for await (const chunk of chunks) {
    let done = 0;
    while (done < chunk.length) {
      const place = { before: from, within: to, after: Infinity }[stage];
      const end = place - 1 < start + chunk.length ? chunk.indexOf(NEWLINE, Math.max(done, place - 1 - start)) : -1;
      const next = end < 0 ? chunk.length : end + 1;
      const piece = chunk.subarray(done, next);
      yield stage === 'within' ? piece : lineEnds(piece);
      done = next;
      // A range without a byte has no line.
      if (end >= 0) stage = stage === 'before' && start + next < to ? 'within' : 'after';
    }
    start += chunk.length;
  }
}

function lineEnds(chunk: Buffer): Buffer {
  let ends = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) ends += 1;
  return Buffer.alloc(ends, NEWLINE);
}

/** The same of a text that is held as a whole. */
export function* textLines(text: string): Generator<TextRecord> {
  let line = 0;
  for (const written of text.split('\n')) {
    line += 1;
    if (written.trim() !== '') yield { text: written, line };
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
  const text = decodeUtf8(bytes.subarray(start, end), line, options.file, options.problems);
  return text === null || text.trim() === '' ? null : { text, line };
}

/** Whether a line, as it was split off, counts and is skipped. */
export function isBlankLine(bytes: Buffer): boolean {
  return isBlank(bytes, 0, bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length);
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

/** Line ends in a piece of a file. */
export function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}
