import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { shellWord, UsageError, writeAside } from '../plugin.ts';

/** Never half a file. `flag` is where the user named it. */
export function writeWhole(file: string, text: string, flag: string): void {
  writeAside(file, text, { next: `choose another place with ${flag}` });
}

/** Two letters at least before the colon: C:\\ is a drive. A system may be named before: NAME=s3://… */
const ADDRESS = /^(?:[^=/]+=)?([a-z][a-z\d+.-]+):\/\/\S*$/i;
const PIPED: ReadonlySet<string> = new Set(['--cases', '--gold', '--predictions']);

/** Refuses an address where a file or folder is expected: as a path, it would be a new folder called `s3:`. */
export function refuseAddress(flag: string, word: string, use: 'read' | 'write' | undefined): void {
  const scheme = ADDRESS.exec(word)?.[1]?.toLowerCase();
  if (scheme === undefined) return;
  const address = word.slice(word.search(new RegExp(`${scheme}://`, 'i')));
  const download = /^https?$/.test(scheme) ? `curl -s ${shellWord(address)}` : 'DOWNLOAD';
  const next =
    scheme === 'file'
      ? 'give the path without file://'
      : use === 'write'
        ? 'write to a local path, then upload it'
        : PIPED.has(flag)
          ? `pipe it in: ${download} | assay … ${flag} -`
          : 'download the data, and give a local path';
  throw new UsageError(`${flag} ${word}: this is an address, expected a path`, next);
}

/** Refuses places that cannot be written to, before the work and not after it. A file that is read is not written over. */
export function refusePlaces(
  places: readonly (readonly [flag: string, file: string | undefined, use?: 'read' | 'write'])[],
): void {
  const taken = new Map<string, string>();
  for (const [flag, file, use = 'write'] of places) {
    if (file === undefined) continue;
    if (use === 'read') {
      taken.set(resolve(file), flag);
      continue;
    }
    if (existsSync(file) && statSync(file).isDirectory())
      throw new UsageError(`${flag} ${file}: this is a folder`, 'name a file');
    const other = taken.get(resolve(file));
    if (other !== undefined) throw new UsageError(`${other} and ${flag} both name ${file}`, 'give each its own name');
    taken.set(resolve(file), flag);
  }
}

/** Writes a result to the files of `--out`, each by its extension. Names and places are refused at once, before the work. */
export function outFiles<Result extends readonly unknown[]>(
  files: readonly string[],
  writers: Readonly<Record<string, (...result: Result) => string>>,
): (...result: Result) => void {
  const chosen = files.map((file) => {
    const end = extname(file).toLowerCase();
    const write = Object.hasOwn(writers, end) ? writers[end] : undefined;
    if (write !== undefined) return { file, write };
    throw new UsageError(
      `--out ${file}: the extension decides what is written, and ${end === '' ? 'none is given' : `${end} is not known`}`,
      `end it in ${Object.keys(writers).join(', ')}`,
    );
  });
  refusePlaces(files.map((file) => ['--out', file]));
  return (...result) => {
    // All of it is made before anything is written: a fault leaves nothing behind.
    const texts = chosen.map(({ file, write }) => ({ file, text: write(...result) }));
    for (const { file, text } of texts) writeWhole(file, text, '--out');
  };
}
