import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';

/** What is loaded, in the words of whoever wants it. */
export interface OwnCode<T> {
  /** `similarity`, `module`: what messages begin with. */
  readonly what: string;
  /** Whose folder it has to be in: `recipe`, `experiment`. */
  readonly of: string;
  readonly isWanted: (value: unknown) => value is T;
  /** What to export. */
  readonly expected: string;
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
  const { what, of, isWanted, expected } = wanted;
  const [file = '', name = 'default'] = given.split('#');
  const path = resolve(folder, file);
  const elsewhere = (): UsageError =>
    new UsageError(
      `${what} ${given}: a module must lie in or below the folder of the ${of} (or the current folder where there is none)`,
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
  let loaded: unknown;
  try {
    // The hash in the address: a changed file is another module, also in a process that goes on running.
    loaded = await import(`${pathToFileURL(real).href}?sha256=${sha256}`);
  } catch (error) {
    throw new UsageError(
      `${what} ${given}: the module does not load (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  const found: unknown = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, name) : undefined;
  if (isWanted(found)) return { code: found, sha256 };
  throw new UsageError(
    `${what} ${given}: ${relative(folder, path)} exports no function called ${name}`,
    `export a function ${expected}`,
  );
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
