import { readFileSync } from 'node:fs';

import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The package's version, from its own package.json (two folders up, in the sources and in the compiled package alike). No schema: `--version` should not wait for zod. */
export const VERSION = String(isRecord(manifest) ? manifest['version'] : manifest);

/** Throws for a folder in a format that this version does not read; `next` is what to do with an older one. */
export function refuseFormat(
  place: string,
  { format, assay }: { readonly format: number; readonly assay: string },
  readable: readonly number[],
  next: string,
): never {
  const reads = `this is Assay ${VERSION}, which reads ${readable.length === 1 ? 'format' : 'formats'} ${readable.join(' and ')}`;
  if (format > Math.max(...readable))
    throw new UsageError(
      `${place}: written by a newer Assay (${assay}) in format ${format}; ${reads}`,
      'update Assay: npm install assay@latest',
    );
  throw new UsageError(`${place}: written by Assay ${assay} in format ${format}; ${reads}`, next);
}
