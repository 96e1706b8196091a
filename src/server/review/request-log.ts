import { harmless, shorten } from '../../data/visible.ts';

const LONGEST_ID = 6;
const LONGEST_REASON = 200;
const KNOWN = new Set(['me', 'items', 'events', 'commit', 'reopen', 'conflicts', 'decision', 'overview']);
const KNOWN_FILES = /^(?:export\.(?:csv|jsonl)|index\.html|review\.(?:js|css)|favicon\.ico)$/;

/** A request that was refused, in one line: never a token, a query or an answer, and of ids only the beginning. */
export function refusalLine(method: string, path: string, status: number, reason: string): string {
  return `${shorten(harmless(method), 10)} ${loggedPath(path)} ${status} ${shorten(harmless(reason), LONGEST_REASON)}`;
}

function loggedPath(path: string): string {
  if (path === '/') return path;
  const parts = path.split('/').slice(1);
  const isApi = parts[0] === 'api' && parts[1] === 'review';
  // Somebody may have put the token of a link where a path should be.
  if (!isApi && !(parts.length === 1 && KNOWN_FILES.test(parts[0] ?? ''))) return 'a path that is not here';
  return `/${parts.map((part, at) => ((isApi && at < 2) || isKnown(part) ? part : idPart(part))).join('/')}`;
}

function isKnown(part: string): boolean {
  return KNOWN.has(part) || KNOWN_FILES.test(part);
}

function idPart(part: string): string {
  return harmless(shorten(part, LONGEST_ID));
}
