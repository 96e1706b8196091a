import { Refusal } from './refusal.ts';

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
