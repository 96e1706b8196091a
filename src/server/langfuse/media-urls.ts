import { createHmac } from 'node:crypto';

import { MEDIA_CONTENT_PATH } from '../../langfuse/shapes/media.ts';
import { isSameSecret, refuseOtherSites } from '../guard.ts';
import { Refusal } from '../refusal.ts';
import type { Gate } from '../server-app.ts';
import { hasKeys, type Keys } from './keys.ts';

export type MediaMethod = 'GET' | 'PUT';

/** An address that gives its holder one content, to read or to write, for an hour. */
export interface MediaUrl {
  readonly url: string;
  readonly expires: string;
}

const VALID_FOR_MS = 60 * 60 * 1000;

export interface MediaUrls {
  url(origin: string, method: MediaMethod, id: string): MediaUrl;
  /** Lets in requests with such an address, or with the keys. */
  readonly gate: Gate;
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
