import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { makeFolders } from './make-folders.ts';
import { UsageError } from './problems.ts';
import { errorCode } from './source.ts';

/**
 * Written aside, to the disk itself, and then renamed: a file of this name is always whole. `next` is what the user can do
 * where it cannot be written.
 */
export function writeAside(file: string, content: string | Uint8Array, next = 'choose another place'): void {
  const aside = `${file}.partial-${process.pid}`;
  try {
    makeFolders(dirname(file));
    const descriptor = openSync(aside, 'w');
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(aside, file);
  } catch (error) {
    if (existsSync(aside)) rmSync(aside);
    const code = errorCode(error);
    throw new UsageError(`cannot write ${file} (${code === 'ENOSPC' ? 'the disk is full' : code})`, next);
  }
}
