import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { isAlive } from '../../data/is-alive.ts';
import { PARTIAL } from '../../data/write-file.ts';
import { compareNatural } from '../../text/compare.ts';

/** A folder below the one that is served, by what it holds. */
export interface FoundFolder {
  readonly path: string;
  readonly folder: string;
  readonly kind: 'run' | 'writing' | 'experiment';
}

export interface Found {
  readonly found: FoundFolder[];
  /** There were too many folders to look at them all. */
  readonly cut: boolean;
  /** False if there is no such folder. */
  readonly exists: boolean;
  /** There is something, but it is not a folder. */
  readonly isFile: boolean;
  /** Links to folders that may hold runs. */
  readonly links: number;
}

const DEEPEST = 5;
const MOST_FOLDERS = 5000;
const MOST_LINKS = 1000;
const PASSED_OVER = /^\.|^node_modules$|\.replaced-\d+$/;

/**
 * Runs and experiments below a folder, in natural order. Links are not followed, to folders or files: only what is in
 * the folder itself is shown.
 */
export async function findFolders(root: string): Promise<Found> {
  const top = await realpath(root).catch(() => null);
  if (top === null || !(await isFolder(top)))
    return { found: [], cut: false, exists: false, isFile: top !== null, links: 0 };
  let left = MOST_FOLDERS;
  let links = 0;
  const look = async (folder: string, path: string, depth: number): Promise<FoundFolder[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const has = (file: string): boolean => entries.some((entry) => entry.name === file && entry.isFile());
    const own = path === '' ? '.' : path;
    if (has('manifest.json')) return [{ path: own, folder, kind: 'run' }];
    const found: FoundFolder[] = has('experiment.json') ? [{ path: own, folder, kind: 'experiment' }] : [];
    if (depth === DEEPEST) return found;
    for (const { name } of entries.filter((entry) => entry.isSymbolicLink() && !PASSED_OVER.test(entry.name)))
      if (links < MOST_LINKS && (await isFolder(join(folder, name)))) links += 1;
    const inner = entries
      .filter((entry) => entry.isDirectory() && !PASSED_OVER.test(entry.name))
      .map(({ name }) => name)
      .sort(compareNatural)
      .slice(0, left);
    left -= inner.length;
    const below = await Promise.all(
      inner.map(async (name) => {
        const place = path === '' ? name : `${path}/${name}`;
        const making = PARTIAL.exec(name);
        if (making === null) return await look(join(folder, name), place, depth + 1);
        // What an ended process left is not a run.
        return isAlive(Number(making[1]))
          ? [{ path: place.replace(PARTIAL, ''), folder: join(folder, name), kind: 'writing' as const }]
          : [];
      }),
    );
    return [...found, ...below.flat()];
  };
  const found = await look(top, '', 0);
  return { found, cut: left === 0, exists: true, isFile: false, links };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
