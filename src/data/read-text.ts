import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';

import { InputError } from './problems.ts';
import { fileSource, OpenSource } from './source.ts';

/** More than any file that is held as a whole has; a packed bomb stops here. */
const MOST_BYTES = 1 << 28;

export interface WholeText {
  readonly text: string;
  /** Of the unpacked bytes. */
  readonly sha256: string;
  /** Of the bytes as they are stored. */
  readonly storedSha256: string;
  readonly storedBytes: number;
}

/** A file as one text, unpacked where it is gzip. For files whose size is known to be modest. */
export async function readText(file: string, most: number = MOST_BYTES): Promise<WholeText> {
  const source = new OpenSource(fileSource(file));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source.bytes()) {
    size += chunk.length;
    if (size > most)
      throw new InputError([
        { file, line: null, message: `unpacked it is longer than ${Math.floor(most / 1048576)} MiB`, next: 'split it' },
      ]);
    chunks.push(chunk);
  }
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new InputError([{ file, line: null, message: 'it is not UTF-8 text' }]);
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const stored = source.digest();
  return {
    text: bytes.toString('utf8', start),
    sha256: hash('sha256', bytes),
    storedSha256: stored.sha256,
    storedBytes: stored.bytes,
  };
}
