import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { compareNatural } from '../text/compare.ts';
import { entryAt } from './entry-at.ts';
import type { Row } from './format.ts';
import { InputError } from './problems.ts';
import { type Digest, fileSource, type Source } from './source.ts';

/** Rows as they come, and what is known of their file once they have been read. */
export interface FileRows {
  rows(): AsyncGenerator<Row[]>;
  done(): Digest & { readonly format: string };
}

const MOST_FILES = 100_000;

/**
 * The rows of all files in a folder and those below it, in the order of their names; null for anything but a folder. A
 * text beside its annotations (a.txt, a.ann) is read with them. A name that begins with `_` or `.` is not of data, as Spark and Hive
 * have it (_SUCCESS, _temporary, .part-0.crc).
 */
export function folderRows({ name, path }: Source, open: (file: Source) => FileRows): FileRows | null {
  if (path === null || !isFolder({ path })) return null;
  const formats = new Set<string>();
  const digest = folderDigest();
  return {
    async *rows(): AsyncGenerator<Row[]> {
      for (const file of await filesIn(path, name)) {
        const reader = open(fileSource(join(name, file)));
        yield* reader.rows();
        const done = reader.done();
        if (done.format !== 'unknown') formats.add(done.format);
        digest.add(file, done);
      }
    },
    done: () => ({ format: [...formats].join(', ') || 'unknown', ...digest.value() }),
  };
}

/** The files of a source, those of its folders one by one. */
export async function singleFiles(source: Source): Promise<Source[]> {
  const files: Source[] = [];
  for (const part of source.files ?? [source]) {
    const { name, path } = part;
    if (path === null || !isFolder(part)) files.push(part);
    else for (const file of await filesIn(path, name)) files.push(fileSource(join(name, file)));
  }
  return files;
}

/** The digest of a folder, of its files in the order in which they are read. */
export function folderDigest() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add(file: string, digest: Digest): void {
      hash.update(`${file} ${digest.sha256}\n`);
      bytes += digest.bytes;
    },
    value: (): Digest => ({ sha256: hash.copy().digest('hex'), bytes }),
  };
}

export function isFolder({ path }: Pick<Source, 'path'>): boolean {
  return path !== null && entryAt(path)?.isDirectory() === true;
}

/** The files of a folder that are read by themselves, by their paths in it. */
export async function filesIn(folder: string, name: string): Promise<string[]> {
  const fault = (message: string, next: string): InputError =>
    new InputError([{ file: name, line: null, message, next }]);
  const files: string[] = [];
  const folders = [''];
  for (const below of folders)
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      if (/^[_.]/.test(entry.name)) continue;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push(path);
      if (files.length > 2 * MOST_FILES || folders.length > MOST_FILES)
        throw fault(`the folder has more than ${MOST_FILES} files`, 'join them into one file');
    }
  const all = new Set(files);
  const read = files.filter((file) => !file.endsWith('.txt') || !all.has(file.replace(/\.txt$/, '.ann')));
  if (read.length === 0) throw fault('the folder has no files', 'name a folder of annotation files, or one file');
  if (read.length > MOST_FILES)
    throw fault(`the folder has ${read.length} files, at most ${MOST_FILES} are read`, 'join them into one file');
  return read.sort(compareNatural);
}
