import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

import { withoutOrigin } from '../deterministic-gzip.ts';

const OPTIONS = {
  // What repeats is in tables and places: a higher level takes twice the time and gains a tenth.
  level: 1,
  // Most pages take one.
  chunkSize: 256 * 1024,
};
const gzipped = promisify(gzip);

/** Gzip, which a browser decompresses by itself; in a thread of Node's. */
export async function compressPage(content: Uint8Array): Promise<Buffer> {
  return withoutOrigin(await gzipped(content, OPTIONS), 0);
}

/** The same at once. */
export function compressPageSync(content: Uint8Array): Buffer {
  return withoutOrigin(gzipSync(content, OPTIONS), 0);
}
