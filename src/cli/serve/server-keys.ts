import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';
import type { Keys } from '../../langfuse/server/keys.ts';

export const KEYS_FILE = 'keys.json';
const SECRET_BYTES = 32;

const keysShape = z.object({
  publicKey: z.string().regex(/^pk-lf-[\w-]{16,}$/),
  secretKey: z.string().regex(/^sk-lf-[\w-]{32,}$/),
});

/** The keys of a data folder: made once, so that clients need no new ones after a restart. */
export function serverKeys(folder: string): Keys {
  const file = join(folder, KEYS_FILE);
  if (!existsSync(file)) makeKeys(folder, file);
  try {
    return keysShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const isOther = error instanceof z.ZodError || error instanceof SyntaxError;
    throw new UsageError(
      isOther ? `${file} does not hold a pair of keys` : `cannot read ${file} (${errorCode(error)})`,
      'Move it away, and new keys are made.',
    );
  }
}

/** Written aside and linked: of two servers that start at once, both use the keys of the first. */
function makeKeys(folder: string, file: string): void {
  const aside = `${file}.partial-${process.pid}`;
  const keys: Keys = { publicKey: newKey('pk-lf'), secretKey: newKey('sk-lf') };
  try {
    writeFileSync(aside, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
    linkSync(aside, file);
    keepOutOfGit(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw new UsageError(`cannot write ${file} (${errorCode(error)})`, 'Name another folder with --data.');
    }
  } finally {
    rmSync(aside, { force: true });
  }
}

/** The folder often stands within a repository, and keys are soon in it. */
function keepOutOfGit(folder: string): void {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) writeFileSync(file, `${KEYS_FILE}\n`);
}

function newKey(kind: string): string {
  return `${kind}-${randomBytes(SECRET_BYTES).toString('hex')}`;
}
