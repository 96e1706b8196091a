import { isUtf8 } from 'node:buffer';

import { InputError } from '../../data/problems.ts';
import { readWhole } from '../../data/read-file.ts';
import type { Source } from '../../data/source.ts';
import { byteOrderMarkLength, refuseForeign } from '../../data/utf8.ts';
import { windows1252Text } from '../../text/mojibake.ts';

const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];
const NEWLINE = 0x0a;
/** So many characters of the header are looked at if no mark gives the encoding. */
const LOOKED_AT = 8;

/** A character of several bytes, each of them read as one. */
const UTF8_SEQUENCE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

export const SAVE_AS_UTF8 =
  'save it again: in Excel as “CSV UTF-8 (Comma delimited)”, in LibreOffice as “Text CSV” with the character set Unicode (UTF-8)';

/** The text of a file that a spreadsheet may have saved, decompressed if it is gzip. */
export async function readSpreadsheetText(source: Source, most?: number): Promise<string> {
  return spreadsheetText(await readWhole(source, most), source.name);
}

interface SheetText {
  readonly text: string;
  readonly codePage: 'Windows-1252' | null;
}

/**
 * The same for sheets that people filled in: what they did must not be lost because Excel saved it as plain “CSV”, so a
 * file that may be Windows-1252 is read as that. Its answers are numbers and labels; the reader reports it.
 */
export async function readSheetText(source: Source, most?: number): Promise<SheetText> {
  const bytes = await readWhole(source, most);
  const isOther = isUtf8(bytes) || byteOrderMarkLength(bytes) > 0 || isBinary(bytes);
  const old = isOther ? null : fromWindows1252(bytes);
  return old === null
    ? { text: spreadsheetText(bytes, source.name), codePage: null }
    : { text: old, codePage: 'Windows-1252' };
}

/** Text has no control characters but tabs and line ends. */
function isBinary(bytes: Buffer): boolean {
  return wideEncoding(bytes) !== null || bytes.some((byte) => byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13);
}

/** Null if a byte stands for no character of this code page, or where most look like UTF-8 that was damaged. */
function fromWindows1252(bytes: Buffer): string | null {
  const read = bytes.toString('latin1');
  const high = read.match(/[\x80-\xff]/g)?.length ?? 0;
  const inUtf8 = read.match(UTF8_SEQUENCE)?.reduce((sum, sequence) => sum + sequence.length, 0) ?? 0;
  const text = windows1252Text(read);
  return /[\x7f-\x9f]/.test(text) || inUtf8 * 2 > high ? null : text;
}

/**
 * UTF-8, or UTF-16 as Excel writes “Unicode text”, with or without a byte order mark. What is neither is refused:
 * guessing among the old code pages would change words without anybody seeing it.
 */
export function spreadsheetText(bytes: Buffer, file: string): string {
  const wide = wideEncoding(bytes);
  if (wide !== null) return fromWide(bytes, wide, file);
  if (OLD_WORKBOOK.every((byte, at) => bytes[at] === byte))
    throw new InputError([
      { file, line: 1, message: 'the file is an old Excel workbook, expected CSV', next: SAVE_AS_UTF8 },
    ]);
  refuseForeign(bytes, file);
  if (!isUtf8(bytes))
    throw new InputError([
      {
        file,
        line: lineOfFault(bytes),
        message: 'the bytes are neither UTF-8 nor UTF-16: a spreadsheet saved it in an old code page (Windows-1252?)',
        next: SAVE_AS_UTF8,
      },
    ]);
  return bytes.toString('utf8', byteOrderMarkLength(bytes));
}

type Wide = 'utf-16le' | 'utf-16be';

/** Without a mark: the header of a table is of plain letters, whose other byte is zero. */
function wideEncoding(bytes: Buffer): Wide | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes[2] === 0 && bytes[3] === 0 ? null : 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const pairs = Math.min(LOOKED_AT, bytes.length >> 1);
  if (pairs === 0) return null;
  const zero = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1) if (bytes[at] === 0) zero[at % 2]! += 1;
  if (zero[0] === 0 && zero[1] === pairs) return 'utf-16le';
  return zero[0] === pairs && zero[1] === 0 ? 'utf-16be' : null;
}

function fromWide(bytes: Buffer, encoding: Wide, file: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const name = encoding.toUpperCase();
    throw new InputError([
      {
        file,
        line: null,
        message: `the file begins as ${name}, but not all of it is: it is cut off or damaged`,
        next: SAVE_AS_UTF8,
      },
    ]);
  }
}

function lineOfFault(bytes: Buffer): number {
  let line = 1;
  let from = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
    if (!isUtf8(bytes.subarray(from, at))) break;
    line += 1;
    from = at + 1;
  }
  return line;
}
