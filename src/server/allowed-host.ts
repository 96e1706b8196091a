import { hostname } from 'node:os';
import { isIP } from 'node:net';

import { isLoopback } from '../experiment/models/loopback.ts';

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * Whether a Host header names this machine. A page of another site can point its own name at this address, so that the
 * browser takes the server for that site; the header then still has that name. `published` is the address under which a
 * proxy in front of the server is known.
 */
export function isAllowedHost(header: string | undefined, bound: string, published: URL | null = null): boolean {
  const name = nameOf(header);
  if (name === null) return false;
  if (isLoopback(name) || name === bound.toLowerCase() || isPublished(header, published)) return true;
  // Bound to every address: whoever names an address, or this machine, was not led here by a name of their own.
  return EVERYWHERE.has(bound) && (isIP(name) !== 0 || name === hostname().toLowerCase());
}

/** Whether a Host header has the name of that address; a proxy may say another port than the one people use. */
export function isPublished(header: string | undefined, published: URL | null): boolean {
  return published !== null && nameOf(header) === nameOf(published.host);
}

/** Without the port and without the brackets of an IPv6 address. */
function nameOf(header: string | undefined): string | null {
  const match = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? '');
  return (match?.groups?.['six'] ?? match?.groups?.['name'])?.toLowerCase() ?? null;
}
