import { isUtf8 } from 'node:buffer';

import { refuseForeign } from './foreign-bytes.ts';
import { InputError } from './problems.ts';
import { OpenSource, type Source } from './source.ts';
import { byteOrderMarkLength } from './utf8.ts';

/** A sheet is held as a whole; more than people fill in, and where a packed bomb stops. */
const MOST_BYTES = 1 << 28;

const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];
const NEWLINE = 0x0a;
/** So many characters of the header are looked at where no mark says how the file is written. */
const LOOKED_AT = 8;

const SAVE_AS_UTF8 =
  'save it anew: in Excel as “CSV UTF-8 (Comma delimited)”, in LibreOffice as “Text CSV” with the character set Unicode (UTF-8)';

/** The text of a file that a spreadsheet may have saved, unpacked where it is gzip. */
export async function readSpreadsheetText(source: Source, most: number = MOST_BYTES): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of new OpenSource(source).bytes()) {
    size += chunk.length;
    if (size > most)
      throw new InputError([
        {
          file: source.name,
          line: null,
          message: `it is longer than ${Math.floor(most / 1048576)} MiB`,
          next: 'split it',
        },
      ]);
    chunks.push(chunk);
  }
  return spreadsheetText(Buffer.concat(chunks), source.name);
}

/**
 * UTF-8, or UTF-16 as Excel writes “Unicode text”, with or without the mark that says so. What is neither is refused:
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
