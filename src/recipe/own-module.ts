import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import type { OwnSimilarity } from '../pair/criterion.ts';

export interface OwnModule {
  readonly similarity: OwnSimilarity;
  /** Part of the signature: another module text is another measure. */
  readonly sha256: string;
}

/**
 * A user's own similarity, `./mine.js` or `./mine.js#name`. Only a file in or below the recipe's folder is loaded, also
 * when a link leads to it: a recipe is configuration, and must not be able to run code from elsewhere.
 */
export async function loadOwnSimilarity(given: string, folder: string): Promise<OwnModule> {
  const [file = '', name = 'default'] = given.split('#');
  const path = resolve(folder, file);
  if (/^[a-z][a-z+.-]+:/i.test(file) || !isInside(path, folder)) throw elsewhere(given);
  let real: string;
  let text: Buffer;
  try {
    real = realpathSync(path);
    text = readFileSync(real);
  } catch (error) {
    throw new UsageError(
      `similarity ${given}: cannot read ${relative(folder, path)} (${errorCode(error)})`,
      'a module path starts from the folder of the recipe',
    );
  }
  if (!isInside(real, realpathSync(folder))) throw elsewhere(given);
  const sha256 = createHash('sha256').update(text).digest('hex');
  let loaded: unknown;
  try {
    // The hash in the address: a changed file is another module, also in a process that goes on running.
    loaded = await import(`${pathToFileURL(real).href}?sha256=${sha256}`);
  } catch (error) {
    throw new UsageError(
      `similarity ${given}: the module does not load (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  const found: unknown = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, name) : undefined;
  if (!isFunction(found))
    throw new UsageError(
      `similarity ${given}: ${relative(folder, path)} exports no function called ${name}`,
      'export a function (gold, predicted) => number from 0 to 1',
    );
  return { similarity: (gold, predicted) => found(gold, predicted), sha256 };
}

/** What it returns is checked each time it is asked. */
function isFunction(value: unknown): value is OwnSimilarity {
  return typeof value === 'function';
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function elsewhere(given: string): UsageError {
  return new UsageError(
    `similarity ${given}: a module must lie in or below the folder of the recipe (or the current folder for a preset)`,
  );
}
