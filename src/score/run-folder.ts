import { existsSync, globSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { UsageError } from '../data/problems.ts';
import { compareNatural } from '../text/compare.ts';
import { closestNames } from '../text/closest-names.ts';
import type { Run } from './run.ts';

/** The folder in which an experiment keeps its scored run; with repeats it has `score-1`, `score-2` … */
const SCORED = 'score';

/** The run that a folder stands for: the folder itself, or the scored run of an experiment. */
export function runFolder(folder: string): string {
  const found = scoredIn(folder);
  if (found !== undefined) return found;
  const repeats = globSync(`${SCORED}-+([0-9])/manifest.json`, { cwd: folder })
    .map((file) => join(folder, dirname(file)))
    .sort(compareNatural);
  if (repeats.length > 0)
    throw new UsageError(
      `${folder} is an experiment with ${repeats.length === 1 ? 'one repeat' : `${repeats.length} repeats`}, each a separate run`,
      `name one of ${firstPlaces(repeats, 10)}`,
    );
  if (existsSync(join(folder, 'experiment.json')))
    throw new UsageError(
      `${folder} is an experiment without scores`,
      'the same assay run command resumes it; with a recipe it is scored',
    );
  return folder;
}

/** The folder itself if it is a run, or the run of an experiment that has one. */
function scoredIn(folder: string): string | undefined {
  return [folder, join(folder, SCORED)].find((place) => existsSync(join(place, 'manifest.json')));
}

/** What a run is called: that of an experiment by the experiment, since all of them are in a folder `score`. */
export function runName(folder: string): string {
  return basename(folder) === SCORED ? dirname(folder) : folder;
}

/** Of runs scored before their manifests had hashes: an edit of these is not noticed. */
export function unlistedNotices(runs: readonly Pick<Run, 'folder' | 'manifest'>[]): string[] {
  const unlisted = runs.filter(({ manifest }) => manifest.files === undefined);
  return unlisted.map(
    ({ folder }) =>
      `${folder} was scored before runs held hashes: score it again, so that edits of its files are noticed`,
  );
}

/** Reports what the folder is instead of a run, and which run may have been meant. */
export async function noRun(folder: string, code: string): Promise<UsageError> {
  const above = dirname(folder);
  const found = await stat(folder).catch(() => null);
  if (found !== null && !found.isDirectory())
    return new UsageError(
      `${folder} is a file, expected the folder of a run`,
      scoredIn(above) !== undefined ? `did you mean ${above}?` : 'name the folder that assay score --out made',
    );
  if (found === null) {
    const siblings = new Map((await runsBelow(above, 1)).map((run) => [basename(run), run]));
    const near = closestNames(basename(folder), siblings.keys()).map((name) => join(above, name));
    return new UsageError(`${folder} does not exist`, suggestion(near.length > 0 ? near : [...siblings.values()]));
  }
  if (code !== 'ENOENT') return new UsageError(`${join(folder, 'manifest.json')} cannot be read (${code})`);
  if (existsSync(join(folder, 'shard.json')))
    return new UsageError(
      `${folder} is one shard of a run, not a run`,
      'assay merge SHARD… --out FOLDER makes a run of all its shards',
    );
  const below = await runsBelow(folder, 2);
  return new UsageError(
    `${folder} is not a run: it has no manifest.json`,
    suggestion(below.length > 0 ? below : await runsBelow(above, 1)),
  );
}

function suggestion(runs: readonly string[]): string {
  if (runs.length === 0) return 'assay score makes a run: assay score PRESET --out DIR …';
  return runs.length === 1 ? `did you mean ${runs[0]!}?` : `runs near there: ${firstPlaces(runs, 5)}`;
}

const LOOKED_AT = 500;

/** Run folders inside a folder, a few levels deep, in natural order. */
async function runsBelow(folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$|\.(?:partial|replaced)-\d+$/.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort(compareNatural)
    .slice(0, LOOKED_AT);
  const lists = await Promise.all(
    folders.map(async (inner) => (scoredIn(inner) === undefined ? runsBelow(inner, depth - 1) : [inner])),
  );
  return lists.flat();
}

function firstPlaces(places: readonly string[], most: number): string {
  const rest = places.length > most ? ` and ${places.length - most} more` : '';
  return `${places.slice(0, most).join(', ')}${rest}`;
}
