import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { secretFile } from '../../store/secret-file.ts';
import { errorCode } from '../../data/source.ts';
import type { Keys } from './keys.ts';

export const KEYS_FILE = 'keys.json';
const SECRET_BYTES = 32;

const keysShape = z.object({
  publicKey: z.string().regex(/^pk-lf-[\w-]{16,}$/),
  secretKey: z.string().regex(/^sk-lf-[\w-]{32,}$/),
});

/** The keys of a data folder: made once, so that clients need no new ones after a restart. */
export function serverKeys(folder: string): Keys {
  const file = secretFile(folder, KEYS_FILE, () => `${JSON.stringify(newKeys())}\n`);
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

function newKeys(): Keys {
  return { publicKey: newKey('pk-lf'), secretKey: newKey('sk-lf') };
}

function newKey(kind: string): string {
  return `${kind}-${randomBytes(SECRET_BYTES).toString('hex')}`;
}
