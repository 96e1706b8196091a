import { readFileSync } from 'node:fs';

/** The package's version, from its own package.json (two folders up, in the sources and in the compiled package alike). */
export const VERSION: string = readVersion();

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string')
    return parsed.version;
  throw new Error('package.json has no version');
}
