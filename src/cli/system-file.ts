import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { compareNatural, entryAt, shorten, UNSAFE, UsageError, visible } from '../plugin.ts';

/** A file of answers with the name of the system that gave them. */
export interface SystemFile {
  readonly system: string;
  readonly path: string;
}

const LONGEST_NAME = 80;

/**
 * `name=path`, or a path whose file name is the system's name.
 *
 * @example systemFile('runs/results_rag.jsonl') // { system: 'rag', path: 'runs/results_rag.jsonl' }
 */
export function systemFile(given: string, flag = '--predictions'): SystemFile {
  const file = namedFile(given, flag);
  refuseAsFolder(file.system, flag);
  return file;
}

/** The same where no folder is called after it. */
export function namedFile(given: string, flag = '--predictions'): SystemFile {
  const at = given.indexOf('=');
  const isNamed = at > 0 && !/[/\\]/.test(given.slice(0, at)) && !existsSync(given);
  const path = isNamed ? given.slice(at + 1) : given;
  const system = isNamed ? given.slice(0, at).trim() : nameOfFile(given);
  if (path === '' || system === '')
    throw new UsageError(`${flag} ${visible(given)}: expected FILE or NAME=FILE`, 'for example rag=results.jsonl');
  return { system, path };
}

/**
 * Replaces a folder without a name by its entries, each with the answers of one system; a folder in it is read as one. For
 * formats with one answer per case: several files of one system would answer a case twice. NAME=FOLDER stays one system.
 */
export function answerFiles(paths: readonly string[], note: (line: string) => void): string[] {
  return paths.flatMap((path) => {
    if (entryAt(path)?.isDirectory() !== true) return path;
    const names = readdirSync(path).filter((name) => !/^[._]/.test(name));
    // The reader reports an empty folder.
    if (names.length === 0) return path;
    const files = names.toSorted(compareNatural).map((name) => join(path, name));
    const systems = files.map(nameOfFile).join(', ');
    note(`${path}: one system per file (${systems}). Use NAME=${path} to read the folder as one system.`);
    return files;
  });
}

/** The files of one system. */
export interface SystemPaths {
  readonly system: string;
  readonly paths: readonly string[];
}

/** One entry for each system; files that were named alike, NAME=FILE, are read as one. */
export function systemFiles(given: readonly string[]): SystemPaths[] {
  // A single system has no folder of its name.
  const files = given.map((one) => (given.length === 1 ? namedFile(one) : systemFile(one)));
  const systems = [...Map.groupBy(files, ({ system }) => system)];
  // Folders of runs are named after systems, and some disks take Rag and rag for the same.
  const twice = systems.find(
    ([name, own], at) =>
      (own.length > 1 && own.some(({ path }) => given.includes(path))) ||
      systems.findIndex(([other]) => other.toLowerCase() === name.toLowerCase()) !== at,
  );
  if (twice !== undefined)
    throw new UsageError(
      `two files of answers are both of the system ${visible(twice[0])}`,
      'name them: --predictions NAME=FILE; files of the same NAME are read as one',
    );
  return systems.map(([system, own]) => ({ system, paths: own.map(({ path }) => path) }));
}

export function nameOfFile(path: string): string {
  if (path === '-') return 'system';
  const bare = basename(path.replaceAll(/[-_.]?[*?]+/g, '')).replace(
    /(?:\.(?:jsonl|ndjson|json|csv|tsv|bio|conll|txt|gz))+$/i,
    '',
  );
  const name = bare.replace(/^(?:results?|answers?|outputs?)[_-](?=.)/i, '');
  return name === '' ? basename(path) : name;
}

/** Each system's run has a folder of its name. */
function refuseAsFolder(system: string, flag: string): void {
  const isPlain = !/[/\\]/.test(system) && !/^\.{1,2}$/.test(system) && system.search(UNSAFE) === -1;
  if (isPlain && system.length <= LONGEST_NAME) return;
  throw new UsageError(
    `a system cannot be called ${visible(shorten(system))}: its run gets a folder of that name`,
    `name it: ${flag} NAME=FILE`,
  );
}
