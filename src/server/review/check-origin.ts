import type { Context } from 'hono';

import { isAllowedHost, isPublished } from '../allowed-host.ts';
import { ReviewRefusal } from './review-refusal.ts';

/** Where the server may be found. */
export interface Reachable {
  /** The address it listens on. */
  readonly bound: string;
  /** Where a proxy in front of it is known; null where there is none. */
  readonly published: URL | null;
}

/** Whatever a page of another site makes a browser ask is refused. A link in a mail may still be followed. */
export function checkOrigin(context: Context, { bound, published }: Reachable): void {
  const host = context.req.header('host') ?? new URL(context.req.url).host;
  if (!isAllowedHost(host, bound, published)) {
    throw new ReviewRefusal(403, 'The Host header does not name this machine.', {
      next: 'Open the address that assay review serve printed; behind a proxy it needs --base-url.',
    });
  }
  const origin = context.req.header('origin');
  if (origin !== undefined && !isOwnOrigin(origin.toLowerCase(), host.toLowerCase(), published)) {
    throw new ReviewRefusal(403, 'Requests from pages of another origin are refused.');
  }
}

/** A proxy may pass on the name that people use, or call the server by the address it listens on. */
function isOwnOrigin(origin: string, host: string, published: URL | null): boolean {
  if (origin === published?.origin) return true;
  return origin === `http://${host}` && !isPublished(host, published);
}
