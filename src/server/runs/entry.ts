import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** The token that opens the screens: the same as long as the secret is. */
export function viewToken(secret: string): string {
  return createHmac('sha256', secret).update('assay-view').digest('base64url');
}

/** Who may look: everybody, where there is no token; otherwise whoever has brought it once. */
export class Entry {
  readonly #token: string | null;
  readonly #cookie: string;

  constructor(token: string | null) {
    this.#token = token;
    // Browsers keep cookies by machine and not by port: two servers must not take each other's away.
    this.#cookie = `assay_view_${hash('sha256', token ?? '', 'base64url').slice(0, 8)}`;
  }

  mayLook(cookies: string | undefined): boolean {
    const { length } = this.#cookie;
    return (
      this.#token === null ||
      (cookies ?? '')
        .split(';')
        .map((one) => one.trim())
        .some((one) => one.startsWith(`${this.#cookie}=`) && this.#isToken(one.slice(length + 1)))
    );
  }

  /** What a browser is to keep, for an Authorization header with the token; null for any other. */
  cookieFor(authorization: string | undefined): string | null {
    const given = /^Bearer ([\w-]{1,200})$/.exec(authorization ?? '')?.[1] ?? '';
    if (!this.#isToken(given)) return null;
    return `${this.#cookie}=${given}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** In a time that says nothing of how near it came. */
  #isToken(given: string): boolean {
    const [a, b] = [Buffer.from(given), Buffer.from(this.#token ?? '')];
    return this.#token !== null && a.length === b.length && timingSafeEqual(a, b);
  }
}
