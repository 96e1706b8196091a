import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { makeFolders } from '../data/make-folders.ts';
import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';

/**
 * Written aside, then renamed: never half a file. What is there and no file, such as /dev/stdout or a pipe, is written
 * to as it is: to rename over it would put a file in its place. `flag` is where the user named it.
 */
export function writeWhole(file: string, text: string, flag: string): void {
  const aside = `${file}.partial-${process.pid}`;
  try {
    if (existsSync(file) && !statSync(file).isFile()) {
      writeFileSync(file, text);
      return;
    }
    makeFolders(dirname(file));
    writeFileSync(aside, text);
    renameSync(aside, file);
  } catch (error) {
    if (existsSync(aside)) rmSync(aside);
    throw new UsageError(`cannot write ${file} (${errorCode(error)})`, `choose another place with ${flag}`);
  }
}

/** Refuses places that cannot be written to, before the work and not after it: `[flag, file]`, first come. */
export function refusePlaces(places: readonly (readonly [flag: string, file: string | undefined])[]): void {
  const taken = new Map<string, string>();
  for (const [flag, file] of places) {
    if (file === undefined) continue;
    if (existsSync(file) && statSync(file).isDirectory())
      throw new UsageError(`${flag} ${file}: this is a folder`, 'name a file');
    const other = taken.get(resolve(file));
    if (other !== undefined) throw new UsageError(`${other} and ${flag} both name ${file}`, 'give each its own name');
    taken.set(resolve(file), flag);
  }
}
