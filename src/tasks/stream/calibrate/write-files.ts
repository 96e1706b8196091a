import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolders } from '../../../data/make-folders.ts';
import { UsageError } from '../../../data/problems.ts';
import { errorCode } from '../../../data/source.ts';

/** A file of a result: its name and what is in it; null where the result has no such file. */
export type ResultFile = readonly [name: string, content: string | Uint8Array | null];

/**
 * Writes the files of one result into a folder: all of them aside first, then all of them under their names, so that a
 * failure leaves nothing half. A file that this result does not have is cleared away, lest an older one passes for it.
 */
export function writeFiles(folder: string, files: readonly ResultFile[]): void {
  const aside = (name: string): string => join(folder, `${name}.partial-${process.pid}`);
  try {
    makeFolders(folder);
    if (!statSync(folder).isDirectory()) throw new UsageError(`--out ${folder}: this is no folder`, 'name a folder');
    for (const [name, content] of files) if (content !== null) writeFileSync(aside(name), content);
    for (const [name, content] of files)
      if (content === null) rmSync(join(folder, name), { force: true });
      else renameSync(aside(name), join(folder, name));
  } catch (error) {
    for (const [name] of files) if (existsSync(aside(name))) rmSync(aside(name));
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write to ${folder} (${errorCode(error)})`, 'choose another place with --out');
  }
}
