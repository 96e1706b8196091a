import { InputError } from './problems.ts';

const KINDS: readonly { readonly begins: readonly number[]; readonly what: string; readonly next: string }[] = [
  { begins: [0xff, 0xfe], what: 'UTF-16', next: 'convert it, for example: iconv -f UTF-16 -t UTF-8' },
  { begins: [0xfe, 0xff], what: 'UTF-16', next: 'convert it, for example: iconv -f UTF-16 -t UTF-8' },
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    what: 'a zip archive or an Excel workbook',
    next: 'unpack it, or save the sheet as CSV UTF-8',
  },
  { begins: [0x28, 0xb5, 0x2f, 0xfd], what: 'packed with zstd', next: 'unpack it, for example: zstd -d' },
  { begins: [0x42, 0x5a, 0x68], what: 'packed with bzip2', next: 'unpack it, for example: bunzip2' },
  { begins: [0xfd, 0x37, 0x7a, 0x58, 0x5a], what: 'packed with xz', next: 'unpack it, for example: unxz' },
  { begins: [0x50, 0x41, 0x52, 0x31], what: 'a Parquet file', next: 'write it as JSONL' },
];

/** Refuses bytes that are no UTF-8 text at all, with what they are and what to do. */
export function refuseForeign(head: Buffer, file: string): void {
  const kind = KINDS.find(({ begins }) => begins.every((byte, at) => head[at] === byte));
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
