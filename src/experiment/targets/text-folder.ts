import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { InputError, UsageError } from '../../data/problems.ts';
import { readText } from '../../data/read-text.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { errorCode } from '../../data/source.ts';
import { compareText } from '../../text/compare.ts';

export interface FolderText {
  /** Path within the folder, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

export interface TextFolder {
  readonly texts: readonly FolderText[];
  /** Of all names and contents. */
  readonly hash: string;
}

const MOST_FILES = 20_000;
const MOST_BYTES = 64 << 20;
const DEEPEST = 32;

/** The .txt and .md files in and below a folder, in the order of their names. Links are not followed. */
export async function readTextFolder(given: string, folder: string, most = MOST_BYTES): Promise<TextFolder> {
  const root = resolve(folder, given);
  const texts: FolderText[] = [];
  let bytes = 0;
  for (const file of listed(root, given)) {
    const { text } = await readText(file, most);
    bytes += Buffer.byteLength(text);
    if (bytes > most)
      throw new InputError([
        {
          file: root,
          line: null,
          message: `the texts are longer than ${most >> 20} MiB`,
          next: 'name a folder of fewer',
        },
      ]);
    texts.push({ name: relative(root, file).replaceAll('\\', '/'), text });
  }
  texts.sort((a, b) => compareText(a.name, b.name));
  if (!texts.some(({ text }) => text.trim() !== ''))
    throw new UsageError(`${given} holds no text: no .txt or .md file in it or below it`, 'links are not followed');
  return { texts, hash: sha256Of(JSON.stringify(texts.map(({ name, text }) => [name, sha256Of(text)]))) };
}

function listed(root: string, given: string): string[] {
  const files: string[] = [];
  const open: { folder: string; depth: number }[] = [{ folder: root, depth: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of entriesOf(at.folder, given)) {
      const path = join(at.folder, entry.name);
      if (entry.isDirectory() && at.depth < DEEPEST) open.push({ folder: path, depth: at.depth + 1 });
      else if (entry.isFile() && /\.(?:txt|md)$/i.test(entry.name)) files.push(path);
      if (files.length > MOST_FILES) throw new UsageError(`${given} holds more than ${MOST_FILES} texts`);
    }
  }
  return files;
}

function entriesOf(folder: string, given: string) {
  try {
    if (!statSync(folder).isDirectory()) throw new UsageError(`${given} is a file, expected a folder of texts`);
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `cannot read the folder ${given} (${errorCode(error)})`,
      'paths start from the folder of the experiment',
    );
  }
}
