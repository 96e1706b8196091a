import { hash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

import type { Context } from 'hono';

import { isLoopback } from '../experiment/models/loopback.ts';
import { Refusal } from './refusal.ts';

/** On every answer. Without any header that would let pages of other origins read it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Where a server can be reached. */
export interface Reach {
  /** The address it listens on. */
  readonly bound: string;
  /** The address of a proxy in front of it. */
  readonly published: URL | null;
}

/**
 * Refuses what a page of another site makes a browser ask; programs send no Origin. A page can also point its own name at
 * this address, so that the browser takes the server for that site: the Host header then still has that name.
 */
export function checkOrigin(context: Context, { bound, published }: Reach): void {
  const host = (context.req.header('host') ?? new URL(context.req.url).host).toLowerCase();
  const name = hostName(host);
  const isPublished = name !== null && name === hostName(published?.host);
  if (name === null || !(isPublished || isThisMachine(name, bound))) {
    throw new Refusal(403, 'The Host header does not name this machine.', {
      next: 'Open the address that the server printed when it started; behind a proxy it needs --base-url.',
    });
  }
  // A proxy may pass on the name that its users see, or call the server by the address it listens on.
  const origin = context.req.header('origin')?.toLowerCase();
  if (origin !== undefined && origin !== published?.origin && (isPublished || origin !== `http://${host}`))
    throw new Refusal(403, 'Requests from pages of another origin are refused.');
}

function isThisMachine(name: string, bound: string): boolean {
  if (isLoopback(name) || name === bound.toLowerCase()) return true;
  // Bound to every address: a request that names an address, or this machine, was not led here by a foreign name.
  return EVERYWHERE.has(bound) && (isIP(name) !== 0 || name === hostname().toLowerCase());
}

/** Without the port and without the brackets of an IPv6 address. */
function hostName(host: string | undefined): string | null {
  const match = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+))(?::\d{1,5})?$/.exec(host ?? '');
  return match?.groups?.['six'] ?? match?.groups?.['name'] ?? null;
}

/** Pages of other sites may link to a page here, but not make a browser ask for what needs credentials. */
export function refuseOtherSites(context: Context): void {
  const site = context.req.header('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site')
    throw new Refusal(403, 'Requests from pages of another site are refused.');
}

/** Compares secrets in a time that reveals nothing about where they differ. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));
}

/** The policy of a page that loads what `sources` names, and nothing else. */
export function pagePolicy(...sources: readonly string[]): string {
  return ["default-src 'none'", ...sources, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(
    '; ',
  );
}

const DECODED_TIMES = 4;

/**
 * Whether a path, as it came over the wire, tries to get out of where it is: `..` as a part, written in any way, a
 * backslash, or characters that no path has. Nothing here reads files by their path, and nothing ever should by this one.
 */
export function isClimbing(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  if (!path.startsWith('/') || path.includes('\\')) return true;
  let text = path;
  for (let times = 0; times < DECODED_TIMES; times += 1) {
    if (climbsAsItStands(text)) return true;
    const decoded = decode(text);
    // What cannot be decoded at first is not a path; later on it is a name with a percent sign.
    if (decoded === null) return times === 0;
    if (decoded === text) return false;
    text = decoded;
  }
  return climbsAsItStands(text);
}

/** Refuses a name that could not be asked for again, since its path would be refused. */
export function checkPathName(field: string, name: string): void {
  if (isClimbing(`/${encodeURIComponent(name.toWellFormed())}`) || !name.isWellFormed())
    throw new Refusal(400, `${field}: this one could not be asked for in a path`);
}

function climbsAsItStands(text: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(text) || text.split(/[/\\]/).some((part) => part === '..' || part === '.');
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
