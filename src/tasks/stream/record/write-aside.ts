import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { makeFolders } from '../../../data/make-folders.ts';
import { UsageError } from '../../../data/problems.ts';
import { errorCode } from '../../../data/source.ts';

/** Written aside, to the disk itself, and then renamed: a file of this name is always whole. */
export function writeAside(file: string, content: string | Uint8Array): void {
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
    rmSync(aside, { force: true });
    throw new UsageError(`cannot write ${file} (${errorCode(error)})`, 'choose another folder');
  }
}
