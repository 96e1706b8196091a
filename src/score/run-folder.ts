import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { UsageError } from '../data/problems.ts';
import { compareNatural } from '../text/compare.ts';

/** Where an experiment keeps its scored run; with repeats it has `score-1`, `score-2` … */
const SCORED = 'score';
const REPEAT = /^score-\d+$/;

/** Where the run is that a folder stands for: the folder itself, or the scored run of an experiment. */
export function runFolder(folder: string): string {
  const found = scoredIn(folder);
  if (found !== undefined) return found;
  const repeats = globSync(`${SCORED}-*/manifest.json`, { cwd: folder })
    .map((file) => dirname(file))
    .filter((name) => REPEAT.test(name))
    .map((name) => join(folder, name))
    .sort(compareNatural);
  if (repeats.length > 0)
    throw new UsageError(
      `${folder} is an experiment with ${repeats.length === 1 ? 'one repeat' : `${repeats.length} repeats`}, each a run of its own`,
      `name one of ${firstPlaces(repeats, 10)}`,
    );
  if (existsSync(join(folder, 'experiment.json')))
    throw new UsageError(
      `${folder} is an experiment without scores`,
      'the same assay run command again goes on with it; with a recipe it is scored',
    );
  return folder;
}

/** The folder itself if it is a run, or the run of an experiment that has one. */
export function scoredIn(folder: string): string | undefined {
  return [folder, join(folder, SCORED)].find((place) => existsSync(join(place, 'manifest.json')));
}

/** What a run is called: that of an experiment by the experiment, since all of them are in a folder `score`. */
export function runName(folder: string): string {
  return basename(folder) === SCORED ? dirname(folder) : folder;
}

export function firstPlaces(places: readonly string[], most: number): string {
  const rest = places.length > most ? ` and ${places.length - most} more` : '';
  return `${places.slice(0, most).join(', ')}${rest}`;
}
