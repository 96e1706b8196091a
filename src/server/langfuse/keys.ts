import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { errorCode } from '../../data/source.ts';
import { secretFile } from '../../store/secret-file.ts';
import { isSameSecret, refuseOtherSites } from '../guard.ts';
import { Refusal } from '../refusal.ts';
import type { RouteGate } from '../server-app.ts';

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

export type MediaMethod = 'GET' | 'PUT';

/** An address that gives its holder one content, to read or to write, for an hour. */
export interface MediaUrl {
  readonly url: string;
  readonly expires: string;
}

/** Where the content itself is put and read; Langfuse has a bucket for that. */
export const MEDIA_CONTENT_PATH = '/api/public/media/:id/content';
const VALID_FOR_MS = 60 * 60 * 1000;

export interface MediaUrls {
  url(origin: string, method: MediaMethod, id: string): MediaUrl;
  /** Lets in requests with such an address, or with the keys. */
  readonly gate: RouteGate;
}

/**
 * As the addresses of Langfuse's bucket: a client follows them without its keys. They are signed with the secret key, so
 * that nothing has to be kept, and end with it.
 */
export function mediaUrls(keys: Keys): MediaUrls {
  const signatureOf = (method: string, id: string, expires: string): string =>
    createHmac('sha256', keys.secretKey)
      .update(JSON.stringify(['media', method, id, expires]))
      .digest('base64url');
  return {
    url(origin, method, id) {
      const expires = new Date(Date.now() + VALID_FOR_MS).toISOString();
      const query = new URLSearchParams({ expires, signature: signatureOf(method, id, expires) });
      const path = MEDIA_CONTENT_PATH.replace(':id', encodeURIComponent(id));
      return { url: `${origin}${path}?${query.toString()}`, expires };
    },
    gate(context) {
      refuseOtherSites(context);
      const { expires = '', signature = '' } = context.req.query();
      const expected = signatureOf(context.req.method, context.req.param('id') ?? '', expires);
      const isOurs = isSameSecret(signature, expected) && Date.parse(expires) > Date.now();
      if (isOurs || hasKeys(context.req.header('authorization'), keys)) return;
      throw new Refusal(401, 'This address is not valid, or not any longer; ask for the media again.', {
        headers: { 'www-authenticate': 'Basic realm="assay"' },
      });
    },
  };
}
