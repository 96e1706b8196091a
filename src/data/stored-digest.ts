import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

import { openPlain, plainChunks, type PlainOptions } from './read-file.ts';
import { filesIn, folderDigest, isFolder } from './read-folder.ts';
import { type Digest, digestWith } from './source.ts';

/** The text that brat keeps beside an annotation file. */
export function textBeside(path: string): string {
  return path.replace(/(?:\.ann)?(?:\.gz|\.zst)?$/i, '.txt');
}

interface DigestOptions extends Pick<PlainOptions, 'most'> {
  /** The expected length: nothing is read of data that has another one. */
  readonly bytes?: number;
}

/** The digest that reading a file or folder ends with; null where its length is not the expected one. */
export async function storedDigest(path: string, { bytes, most }: DigestOptions = {}): Promise<Digest | null> {
  const options = { follow: true, ...(most === undefined ? {} : { most }) };
  const names = isFolder({ path }) ? await filesIn(path, path) : null;
  const files = (names ?? ['']).map((name) => ({ name, parts: partsOf(join(path, name)) }));
  if (bytes !== undefined) {
    let total = 0;
    for (const part of files.flatMap(({ parts }) => parts)) {
      const { handle, size } = await openPlain(part, options);
      await handle.close();
      total += size;
    }
    if (total !== bytes) return null;
  }
  const digests = folderDigest();
  for (const { name, parts } of files) {
    const [file, ...besides] = await Promise.all(parts.map((part) => plainDigest(part, options)));
    const digest = digestWith(file!, besides);
    if (names === null) return digest;
    digests.add(name, digest);
  }
  return digests.value();
}

/** An annotation file of brat and its text. */
function partsOf(path: string): string[] {
  const text = textBeside(path);
  return /\.ann(?:\.gz|\.zst)?$/i.test(path) && existsSync(text) ? [path, text] : [path];
}

async function plainDigest(path: string, options: PlainOptions): Promise<Digest & { readonly name: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of plainChunks(path, options)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name: basename(path), sha256: hash.digest('hex'), bytes };
}
