import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
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
 * A user's own similarity, `./mine.js` or `./mine.js#name`. Only a file in or below the recipe's folder is loaded: a
 * recipe is configuration, and must not be able to run code from elsewhere.
 */
export async function loadOwnSimilarity(given: string, folder: string): Promise<OwnModule> {
  const [file = '', name = 'default'] = given.split('#');
  const path = resolve(folder, file);
  const inside = relative(folder, path);
  if (/^[a-z][a-z+.-]+:/i.test(file) || inside.startsWith('..')) {
    throw new UsageError(
      `similarity ${given}: a module must lie in or below the folder of the recipe (or the current folder for a preset)`,
    );
  }
  let text: Buffer;
  try {
    text = readFileSync(path);
  } catch (error) {
    throw new UsageError(
      `similarity ${given}: cannot read ${inside} (${errorCode(error)})`,
      'a module path starts from the folder of the recipe',
    );
  }
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(
      `similarity ${given}: the module does not load (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  const found: unknown = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, name) : undefined;
  if (typeof found !== 'function')
    throw new UsageError(
      `similarity ${given}: ${inside} exports no function called ${name}`,
      'export a function (gold, predicted) => number from 0 to 1',
    );
  return {
    similarity: (gold, predicted) => Reflect.apply(found, undefined, [gold, predicted]) as number,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}
