import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Context } from 'hono';

import { MEDIA_CONTENT_PATH } from '../../langfuse/shapes/media.ts';
import { hasKeys, type Keys } from './keys.ts';
import { Refusal } from '../refusal.ts';
import { type Gate, refuseOtherSites } from '../route-gates.ts';

export type MediaMethod = 'GET' | 'PUT';

/** An address that gives its holder one content, to read or to write, for an hour. */
export interface MediaUrl {
  readonly url: string;
  readonly expires: string;
}

const VALID_FOR_MS = 60 * 60 * 1000;

/**
 * As the addresses of Langfuse's bucket: a client follows them without its keys. They are signed with the secret key, so
 * that nothing has to be kept, and end with it.
 */
export class MediaUrls {
  readonly #keys: Keys;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  url(origin: string, method: MediaMethod, id: string): MediaUrl {
    const expires = new Date(Date.now() + VALID_FOR_MS).toISOString();
    const query = new URLSearchParams({ expires, signature: this.#signature(method, id, expires) });
    return {
      url: `${origin}${MEDIA_CONTENT_PATH.replace(':id', encodeURIComponent(id))}?${query.toString()}`,
      expires,
    };
  }

  /** Lets in who has such an address, or the keys. */
  readonly gate: Gate = (context) => {
    refuseOtherSites(context);
    if (this.#isSigned(context) || hasKeys(context.req.header('authorization'), this.#keys)) return null;
    throw new Refusal(401, 'This address is not valid, or not any longer; ask for the media again.');
  };

  #isSigned(context: Context): boolean {
    const { expires = '', signature = '' } = context.req.query();
    const { method } = context.req;
    // Gates are asked before there are parts of the path.
    const id = /\/([\w-]+)\/content$/.exec(context.req.path)?.[1] ?? '';
    if (method !== 'GET' && method !== 'PUT') return false;
    const expected = Buffer.from(this.#signature(method, id, expires));
    const given = Buffer.from(signature);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    return isOurs && Date.parse(expires) > Date.now();
  }

  #signature(method: MediaMethod, id: string, expires: string): string {
    return createHmac('sha256', this.#keys.secretKey)
      .update(JSON.stringify(['media', method, id, expires]))
      .digest('base64url');
  }
}
