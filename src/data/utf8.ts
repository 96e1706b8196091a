import { isUtf8 } from 'node:buffer';

import { InputError, type Problem, type Problems } from './problems.ts';

const NEWLINE = 0x0a;

/** How many bytes of UTF-8 mark a file begins with. */
export function byteOrderMarkLength(bytes: Buffer): number {
  return bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Decodes strictly: a replacement character would be a change of the data that nobody sees. */
export function decodeUtf8(bytes: Buffer, line: number, file: string, problems: Problems): string | null {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  problems.add(notUtf8(file, line + linesBeforeFault(bytes)));
  return null;
}

/** Hands bytes on as they are, in whole characters; the first line that is not UTF-8 ends it. */
export async function* strictUtf8(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.subarray(0, wholeCharacters(bytes));
    if (!isUtf8(whole)) throw new InputError([notUtf8(file, line + linesBeforeFault(whole))]);
    line += count(whole, NEWLINE);
    rest = Buffer.from(bytes.subarray(whole.length));
    yield whole;
  }
  if (rest.length > 0) throw new InputError([notUtf8(file, line)]);
}

/** Length without a last character that is cut off. */
export function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function linesBeforeFault(bytes: Buffer): number {
  let lines = 0;
  let from = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
    if (!isUtf8(bytes.subarray(from, at))) break;
    lines += 1;
    from = at + 1;
  }
  return lines;
}

function count(bytes: Buffer, byte: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) found += 1;
  return found;
}

function notUtf8(file: string, line: number): Problem {
  return {
    file,
    line,
    message: 'the bytes are not UTF-8',
    next: 'convert the file, for example: iconv -f WINDOWS-1252 -t UTF-8',
  };
}

/** Files that are no text, by how they begin. */
const FOREIGN: readonly { readonly begins: readonly number[]; readonly what: string; readonly next: string }[] = [
  { begins: [0xff, 0xfe], what: 'UTF-16', next: 'convert it, for example: iconv -f UTF-16 -t UTF-8' },
  { begins: [0xfe, 0xff], what: 'UTF-16', next: 'convert it, for example: iconv -f UTF-16 -t UTF-8' },
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    what: 'a zip archive or an Excel workbook',
    next: 'extract it, or save the sheet as CSV UTF-8',
  },
  { begins: [0x42, 0x5a, 0x68], what: 'compressed with bzip2', next: 'decompress it, for example: bunzip2' },
  { begins: [0xfd, 0x37, 0x7a, 0x58, 0x5a], what: 'compressed with xz', next: 'decompress it, for example: unxz' },
  { begins: [0x50, 0x41, 0x52, 0x31], what: 'a Parquet file', next: 'write it as JSONL' },
];

/** Refuses bytes that are no UTF-8 text at all, with what they are and what to do. */
export function refuseForeign(head: Buffer, file: string): void {
  const kind = FOREIGN.find(({ begins }) => begins.every((byte, at) => head[at] === byte));
  if (kind !== undefined)
    throw new InputError([
      { file, line: 1, message: `the file is ${kind.what}, expected UTF-8 text`, next: kind.next },
    ]);
  // Text never begins with a NUL; UTF-16 and UTF-32 without their mark have one beside the first character.
  if (head[0] === 0 || head[1] === 0)
    throw new InputError([
      {
        file,
        line: 1,
        message: 'the file begins with NUL bytes: it is binary or UTF-16, expected UTF-8 text',
        next: 'if it is text, convert it, for example: iconv -f UTF-16LE -t UTF-8',
      },
    ]);
}
