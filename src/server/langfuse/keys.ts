import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';
import { secretFile } from '../../store/secret-file.ts';
import { isSameSecret } from '../guard.ts';

export interface Keys {
  readonly publicKey: string;
  readonly secretKey: string;
}

const KEYS_FILE = 'keys.json';
const SECRET_BYTES = 32;

const keysFile = z.object({
  publicKey: z.string().regex(/^pk-lf-[\w-]{16,}$/),
  secretKey: z.string().regex(/^sk-lf-[\w-]{32,}$/),
});

/** Whether an Authorization header has the keys. Takes the same time whatever is wrong with it. */
export function hasKeys(header: string | undefined, { publicKey, secretKey }: Keys): boolean {
  const [scheme, credentials = ''] = (header ?? '').split(' ', 2);
  const isSame = isSameSecret(Buffer.from(credentials, 'base64').toString('utf8'), `${publicKey}:${secretKey}`);
  return isSame && scheme?.toLowerCase() === 'basic';
}

/** The keys of a data folder: made once, so that clients need no new ones after a restart. */
export function serverKeys(folder: string): Keys {
  const newKey = (kind: string): string => `${kind}-${randomBytes(SECRET_BYTES).toString('hex')}`;
  const newKeys = (): Keys => ({ publicKey: newKey('pk-lf'), secretKey: newKey('sk-lf') });
  const file = secretFile(folder, KEYS_FILE, () => `${JSON.stringify(newKeys())}\n`);
  try {
    return keysFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const isOther = error instanceof z.ZodError || error instanceof SyntaxError;
    throw new UsageError(
      isOther ? `${file} does not hold a pair of keys` : `cannot read ${file} (${errorCode(error)})`,
      'Move it away, and new keys are made.',
    );
  }
}
