import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

import { compareNatural } from '../text/compare.ts';
import { UsageError } from './problems.ts';
import { entryAt } from './entry-at.ts';
import { fileSource, joinedSource, type Source, standardInput } from './source.ts';

/** `-` is standard input, anything else a file, a folder or a pattern; several are read as one. */
export function sourceOf(...names: readonly string[]): Source {
  const paths = names.flatMap((name) => (isPattern(name) ? filesMatching(name) : [name]));
  const places = paths.map((path) => resolve(path));
  const again = paths.find((_, at) => places.indexOf(places[at]!) !== at);
  if (again !== undefined) throw new UsageError(`${again} was given twice`, 'pass each file once');
  if (paths.length > 1 && paths.includes('-'))
    throw new UsageError('standard input (-) is read alone', 'give the other files to it too: cat FILES | assay …');
  return joinedSource(paths.map((path) => (path === '-' ? standardInput() : fileSource(path))));
}

/** A file by name, several that are read as one, or a source. */
export type NamedFiles = string | readonly string[] | Source;

export function openFiles(given: NamedFiles): Source {
  return typeof given === 'string' ? sourceOf(given) : 'open' in given ? given : sourceOf(...given);
}

/** Whether a name is a pattern: `*` stands for any characters of a name, `?` for one. A file of that very name goes before. */
export function isPattern(name: string): boolean {
  return /[*?]/.test(name) && entryAt(name) === undefined;
}

/** The files and folders that a pattern matches, in natural order. Names that begin with `_` or `.` hold no data. */
function filesMatching(pattern: string): string[] {
  const [first = '', ...parts] = pattern.split('/');
  let places = first === '' ? ['/'] : namesIn('', first);
  for (const part of parts.filter((one) => one !== '')) places = places.flatMap((place) => namesIn(place, part));
  if (places.length > 0) return places.toSorted(compareNatural);
  throw new UsageError(`no file matches ${pattern}`, 'a pattern is a path with * for any part of a name');
}

function namesIn(folder: string, part: string): string[] {
  const path = (name: string): string => (folder === '' || folder === '/' ? folder + name : `${folder}/${name}`);
  const exists = (name: string): boolean => entryAt(path(name)) !== undefined;
  if (!/[*?]/.test(part)) return exists(part) ? [path(part)] : [];
  // A file among the folders has nothing in it.
  if (folder !== '' && entryAt(folder)?.isDirectory() !== true) return [];
  return readdirSync(folder === '' ? '.' : folder)
    .filter((name) => (!/^[._]/.test(name) || name[0] === part[0]) && matches(name, part) && exists(name))
    .map(path);
}

/** Never goes back further than the last `*`, so that no pattern takes long. */
function matches(name: string, pattern: string): boolean {
  let [at, place, star, restart] = [0, 0, -1, 0];
  while (at < name.length)
    if (pattern[place] === '*') [star, restart, place] = [place, at, place + 1];
    else if (pattern[place] === '?' || pattern[place] === name[at]) [at, place] = [at + 1, place + 1];
    else if (star >= 0) [place, restart, at] = [star + 1, restart + 1, restart + 1];
    else return false;
  return /^\**$/.test(pattern.slice(place));
}
