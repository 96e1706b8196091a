import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { compareNatural } from '../text/compare.ts';
import { entryAt } from './entry-at.ts';
import type { Row } from './format.ts';
import { InputError } from './problems.ts';
import { fileSource, type Source } from './source.ts';

/** Rows as they come, and what is known of their file once they have been read. */
export interface FileRows {
  rows(): AsyncGenerator<Row[]>;
  done(): { readonly format: string; readonly sha256: string; readonly bytes: number };
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
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *rows(): AsyncGenerator<Row[]> {
      for (const file of filesIn(path, name)) {
        const reader = open(fileSource(join(name, file)));
        yield* reader.rows();
        const done = reader.done();
        formats.add(done.format);
        hash.update(`${file} ${done.sha256}\n`);
        bytes += done.bytes;
      }
    },
    done: () => ({ format: [...formats].join(', ') || 'unknown', sha256: hash.copy().digest('hex'), bytes }),
  };
}

export function isFolder({ path }: Pick<Source, 'path'>): boolean {
  return path !== null && entryAt(path)?.isDirectory() === true;
}

function filesIn(folder: string, name: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((file) => !/(?:^|\/)[_.]/.test(file))
    .sort(compareNatural);
  const all = new Set(files);
  const read = files.filter((file) => !file.endsWith('.txt') || !all.has(file.replace(/\.txt$/, '.ann')));
  const fault = (message: string, next: string): InputError =>
    new InputError([{ file: name, line: null, message, next }]);
  if (read.length === 0) throw fault('the folder has no files', 'name a folder of annotation files, or one file');
  if (read.length > MOST_FILES)
    throw fault(`the folder has ${read.length} files, at most ${MOST_FILES} are read`, 'join them into one file');
  return read;
}
