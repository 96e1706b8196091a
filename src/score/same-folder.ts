import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** The first two names in a list that lead to the same folder, also through a link; null where all are different. */
export function sameFolder(folders: readonly string[]): readonly [string, string] | null {
  const seen = new Map<string, string>();
  for (const folder of folders) {
    const place = placeOf(folder);
    const before = seen.get(place);
    if (before !== undefined) return [before, folder];
    seen.set(place, folder);
  }
  return null;
}

function placeOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // What is wrong with a folder that is not there is said where it is read.
    return resolve(folder);
  }
}
