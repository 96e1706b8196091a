import { type Stats, statSync } from 'node:fs';

import { errorCode } from './source.ts';

/** The file or folder that a path leads to; undefined if none. Bun and Deno throw ENOTDIR despite `throwIfNoEntry`. */
export function entryAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw error;
  }
}
