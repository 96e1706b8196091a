import { hash, timingSafeEqual } from 'node:crypto';

export interface Keys {
  readonly publicKey: string;
  readonly secretKey: string;
}

/** Whether an Authorization header has the keys. Takes the same time whatever is wrong with it. */
export function hasKeys(header: string | undefined, keys: Keys): boolean {
  const [scheme, credentials = ''] = (header ?? '').split(' ', 2);
  const given = Buffer.from(credentials, 'base64').toString('utf8');
  const same = timingSafeEqual(digest(given), digest(`${keys.publicKey}:${keys.secretKey}`));
  return same && scheme?.toLowerCase() === 'basic';
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
