import type { Context } from 'hono';

import { isAllowedHost } from '../../langfuse/server/allowed-host.ts';
import { ReviewRefusal } from './review-refusal.ts';

/** Whatever a page of another site makes a browser ask is refused. A link in a mail may still be followed. */
export function checkOrigin(context: Context, bound: string): void {
  const { host: asked, pathname } = new URL(context.req.url);
  const host = context.req.header('host') ?? asked;
  if (!isAllowedHost(host, bound)) {
    throw new ReviewRefusal(403, 'The Host header does not name this machine.', {
      next: 'Open the address that assay review serve printed.',
    });
  }
  const origin = context.req.header('origin');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw new ReviewRefusal(403, 'Requests from pages of another origin are refused.');
  }
  const site = context.req.header('sec-fetch-site');
  if (pathname.startsWith('/api') && (site === 'cross-site' || site === 'same-site')) {
    throw new ReviewRefusal(403, 'Requests from pages of another site are refused.');
  }
}
