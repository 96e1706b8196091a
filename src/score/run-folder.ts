import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { UsageError } from '../data/problems.ts';
import { compareNatural } from '../text/compare.ts';

/** Where an experiment keeps its scored run; with repeats it has `score-1`, `score-2` … */
const SCORED = 'score';

/** Where the run is that a folder stands for: the folder itself, or the scored run of an experiment. */
export function runFolder(folder: string): string {
  if (isFile(join(folder, 'manifest.json'))) return folder;
  const scored = join(folder, SCORED);
  if (isFile(join(scored, 'manifest.json'))) return scored;
  const repeats = repeatFolders(folder);
  if (repeats.length > 0)
    throw new UsageError(
      `${folder} is an experiment with ${repeats.length === 1 ? 'one repeat' : `${repeats.length} repeats`}, each a run of its own`,
      `name one of ${listed(repeats)}`,
    );
  if (isFile(join(folder, 'experiment.json')))
    throw new UsageError(
      `${folder} is an experiment without scores`,
      'the same assay run command again goes on with it; with a recipe it is scored',
    );
  return folder;
}

/** Whether a folder is a run or an experiment that has one. */
export function hasRun(folder: string): boolean {
  return [folder, join(folder, SCORED)].some((place) => isFile(join(place, 'manifest.json')));
}

/** What a run is called: that of an experiment by the experiment, since all of them are in a folder `score`. */
export function runName(folder: string): string {
  return basename(folder) === SCORED ? dirname(folder) : folder;
}

function repeatFolders(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => /^score-\d+$/.test(name))
    .map((name) => join(folder, name))
    .filter((place) => isFile(join(place, 'manifest.json')))
    .sort(compareNatural);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // What is wrong with it is said where it is read.
    return [];
  }
}

const SHOWN = 10;

function listed(places: readonly string[]): string {
  const rest = places.length > SHOWN ? ` and ${places.length - SHOWN} more` : '';
  return `${places.slice(0, SHOWN).join(', ')}${rest}`;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
