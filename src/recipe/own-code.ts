import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';

/** What is loaded, in the caller's words. */
export interface OwnCode<T> {
  /** `similarity`, `module`: what messages begin with. */
  readonly what: string;
  /** Whose folder it has to be in: `recipe`, `experiment`. */
  readonly of: string;
  readonly isWanted: (value: unknown) => value is T;
  /** What to export. */
  readonly expected: string;
}

/** A file that may be loaded. */
export interface FoundCode {
  /** With the hash in it: a changed file is another module, also in a process that goes on running. */
  readonly href: string;
  /** Of the export that is meant. */
  readonly name: string;
  /** Another text is other code. */
  readonly sha256: string;
  /** From the folder on. */
  readonly file: string;
}

export interface LoadedCode<T> {
  readonly code: T;
  /** Another text is other code. */
  readonly sha256: string;
}

/**
 * A function of the user's own, `./mine.ts` or `./mine.ts#name`. Only a file in or below the folder is loaded, also when
 * a link leads to it: recipes and experiments are configuration, and must not be able to run code from elsewhere.
 */
export async function loadOwnCode<T>(given: string, folder: string, wanted: OwnCode<T>): Promise<LoadedCode<T>> {
  const { what, isWanted, expected } = wanted;
  const { href, name, sha256, file } = findOwnCode(given, folder, wanted);
  let loaded: unknown;
  try {
    loaded = await import(href);
  } catch (error) {
    throw new UsageError(
      `${what} ${given}: the module does not load (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  const found: unknown = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, name) : undefined;
  if (isWanted(found)) return { code: found, sha256 };
  throw new UsageError(`${what} ${given}: ${file} exports no function called ${name}`, `export a function ${expected}`);
}

/** The same file, found and not loaded: none of its code has run. */
export function findOwnCode(
  given: string,
  folder: string,
  { what, of }: Pick<OwnCode<unknown>, 'what' | 'of'>,
): FoundCode {
  const [file = '', name = 'default'] = given.split('#');
  const path = resolve(folder, file);
  const elsewhere = (): UsageError =>
    new UsageError(
      `${what} ${given}: a module must be in or below the folder of the ${of} (or the current folder without one)`,
    );
  if (/^[a-z][a-z+.-]+:/i.test(file) || !isInside(path, folder)) throw elsewhere();
  let real: string;
  let text: Buffer;
  try {
    real = realpathSync(path);
    text = readFileSync(real);
  } catch (error) {
    throw new UsageError(
      `${what} ${given}: cannot read ${relative(folder, path)} (${errorCode(error)})`,
      `a module path starts from the folder of the ${of}`,
    );
  }
  if (!isInside(real, realpathSync(folder))) throw elsewhere();
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { href: `${pathToFileURL(real).href}?sha256=${sha256}`, name, sha256, file: relative(folder, path) };
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
