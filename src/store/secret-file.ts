import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolders, writeAside } from '../data/write-file.ts';
import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { harmless } from '../data/visible.ts';

const NEXT = 'Name another folder with --data.';

/** The path of a secret in a data folder: made once, readable by its owner only, and ignored by git whatever came first. */
export function secretFile(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  if (existsSync(file)) keepOutOfGit(folder, name, false);
  else makeSecretFile(folder, name, make());
  return file;
}

/** Of two programs that begin at once, both use the secret of the first. */
function makeSecretFile(folder: string, name: string, content: string): void {
  const file = join(folder, name);
  try {
    makeFolders(folder);
    keepOutOfGit(folder, name, true);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`cannot write ${file} (${errorCode(error)})`, NEXT);
  }
  writeAside(file, content, { mode: 0o600, replace: false, next: NEXT });
}

/** The folder is often in a repository, and a secret is soon committed. A secret that exists can be used read-only. */
function keepOutOfGit(folder: string, name: string, must: boolean): void {
  const file = join(folder, '.gitignore');
  const fact = lstatSync(file, { throwIfNoEntry: false });
  // Git does not follow a link here.
  if (fact?.isFile() === false)
    throw new UsageError(`${harmless(file)} is not a file, so git would not ignore ${name}`, 'Move it away.');
  try {
    const text = fact === undefined ? '' : readFileSync(file, 'utf8');
    if (isIgnored(text, name)) return;
    writeFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${name}\n`, { flag: 'a' });
  } catch (error) {
    if (must) throw error;
  }
}

/** The last line that matches decides; a later exception may be for any name, so the secret is listed again after it. */
function isIgnored(text: string, name: string): boolean {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  const listed = lines.findLastIndex((line) => [name, `/${name}`, '*', '/*'].includes(line));
  return listed > lines.findLastIndex((line) => line.startsWith('!'));
}
