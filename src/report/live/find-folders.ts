import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isAlive } from '../../data/is-alive.ts';
import { compareNatural } from '../../text/compare.ts';

/** A folder below the one that is served, by what it holds. */
export interface FoundFolder {
  readonly path: string;
  readonly folder: string;
  readonly kind: 'run' | 'writing' | 'experiment';
}

const DEEPEST = 5;
const MOST_FOLDERS = 5000;
const PASSED_OVER = /^\.|^node_modules$|\.replaced-\d+$/;
const IN_THE_MAKING = /\.partial-(\d+)$/;

/** Runs and experiments below a folder, in natural order; and whether there were too many folders to look at them all. */
export async function findFolders(root: string): Promise<{ readonly found: FoundFolder[]; readonly cut: boolean }> {
  const found: FoundFolder[] = [];
  let left = MOST_FOLDERS;
  const look = async (folder: string, path: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
    if (names.has('manifest.json')) {
      found.push({ path: path === '' ? '.' : path, folder, kind: 'run' });
      return;
    }
    if (names.has('experiment.json')) found.push({ path: path === '' ? '.' : path, folder, kind: 'experiment' });
    if (depth === DEEPEST) return;
    const inner = entries
      .filter((entry) => entry.isDirectory() && !PASSED_OVER.test(entry.name))
      .map(({ name }) => name)
      .sort(compareNatural);
    for (const name of inner) {
      if (left === 0) return;
      left -= 1;
      const below = path === '' ? name : `${path}/${name}`;
      const making = IN_THE_MAKING.exec(name);
      if (making === null) await look(join(folder, name), below, depth + 1);
      // What a process left that is gone is nobody's run.
      else if (isAlive(Number(making[1])))
        found.push({ path: below.replace(IN_THE_MAKING, ''), folder: join(folder, name), kind: 'writing' });
    }
  };
  await look(root, '', 0);
  return { found, cut: left === 0 };
}
