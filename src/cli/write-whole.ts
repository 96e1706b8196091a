import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { UsageError } from '../data/problems.ts';
import { writeAside } from '../data/write-file.ts';

/** Never half a file. `flag` is where the user named it. */
export function writeWhole(file: string, text: string, flag: string): void {
  writeAside(file, text, { next: `choose another place with ${flag}` });
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
