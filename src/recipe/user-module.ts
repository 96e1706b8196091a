import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';

/** What is loaded, in the caller's words. */
export interface ModuleUse<T> {
  /** `similarity`, `module`: what messages begin with. */
  readonly what: string;
  /** Whose folder it has to be in: `recipe`, `experiment`. */
  readonly of: string;
  readonly isWanted: (value: unknown) => value is T;
  /** What to export. */
  readonly expected: string;
}

/** A file that may be loaded. */
export interface ModuleFile {
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
export async function loadModuleExport<T>(given: string, folder: string, wanted: ModuleUse<T>): Promise<LoadedCode<T>> {
  const { what, isWanted, expected } = wanted;
  const { exports, name, sha256, file } = await loadModule(given, folder, wanted);
  const found = exports[name];
  if (isWanted(found)) return { code: found, sha256 };
  throw new UsageError(`${what} ${given}: ${file} exports no function called ${name}`, `export a function ${expected}`);
}

/** All that the file exports. It may import `assay`, wherever it is: that is the program which loads it. */
export async function loadModule(given: string, folder: string, use: Pick<ModuleUse<unknown>, 'what' | 'of'>) {
  const file = findModule(given, folder, use);
  resolveAssay();
  try {
    const loaded: unknown = await import(file.href);
    return { ...file, exports: { ...(isRecord(loaded) ? loaded : {}) } };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    // Bun and Deno have no hooks that resolve it.
    const isAssayMissing = /["']assay["']/.test(reason);
    throw new UsageError(
      `${use.what} ${given}: the module does not load (${reason})`,
      isAssayMissing ? 'install assay in or above the folder of the module, or use Node' : null,
    );
  }
}

let isResolving = false;

function resolveAssay(): void {
  if (isResolving) return;
  isResolving = true;
  const source = import.meta.url.endsWith('.ts') ? new URL('../index.ts', import.meta.url).href : null;
  module.registerHooks?.({
    resolve: (specifier, context, next) =>
      specifier === 'assay' && context.parentURL?.includes('?sha256=') === true
        ? { url: source ?? import.meta.resolve('assay'), shortCircuit: true }
        : next(specifier, context),
  });
}

/** The same file, found and not loaded: none of its code has run. */
export function findModule(
  given: string,
  folder: string,
  { what, of }: Pick<ModuleUse<unknown>, 'what' | 'of'>,
): ModuleFile {
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
