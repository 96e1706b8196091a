import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import { runName } from '../score/run-folder.ts';
import type { Run } from '../score/run.ts';

/**
 * As much of the end of each folder's path as it takes to tell them apart; a folder that is given twice has one name.
 *
 * @example shortNames(['runs/a/run', 'runs/b/run']) // ['a/run', 'b/run']
 */
export function shortNames(folders: readonly string[]): string[] {
  const whole = folders.map((folder) => resolve(folder));
  const named = folders.map((folder) => resolve(runName(folder)));
  const apart = new Set(whole).size;
  const parts = (new Set(named).size === apart ? named : whole).map((folder) =>
    folder.split(/[/\\]/).filter((part) => part !== ''),
  );
  const deepest = Math.max(...parts.map((path) => path.length));
  for (let depth = 1; depth < deepest; depth += 1) {
    const names = parts.map((path) => path.slice(-depth).join('/'));
    if (new Set(names).size === apart) return names;
  }
  return parts.map((path) => path.join('/'));
}

/**
 * What each run is called: by the name that a person gave it, else by its folder. Those that share a name have their
 * folder behind it.
 */
export function runNames(runs: readonly Pick<Run, 'folder' | 'about'>[]): string[] {
  const short = shortNames(runs.map(({ folder }) => folder));
  const names = runs.map(({ about }, at) => about?.name ?? short[at]!);
  const isShared = (name: string): boolean => names.filter((other) => other === name).length > 1;
  const apart = runs.map(({ about }, at) =>
    about?.name != null && isShared(names[at]!) ? `${names[at]!} (${short[at]!})` : names[at]!,
  );
  return new Set(apart).size === new Set(short).size ? apart : short;
}

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
    // A missing folder is reported where it is read.
    return resolve(folder);
  }
}
