import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { sha256Of } from '../../plugin.ts';

export const SCISPACY_PROGRAM = fileURLToPath(new URL('scispacy-server.py', import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL('scispacy-requirements.txt', import.meta.url));

/** What the program reports if every package has the version that the requirements name. */
const AS_PINNED = 'as pinned';

/** Names the extractor that ships: `cat scispacy-server.py scispacy-requirements.txt | sha256sum`. */
export function extractorHash(): string {
  return sha256Of(Buffer.concat([readFileSync(SCISPACY_PROGRAM), readFileSync(REQUIREMENTS)]));
}

/**
 * Why what runs is not the extractor that was frozen; null if it is, or if none was. `program` is null for a
 * program that is not ours, `packages` is what ours reports of its environment.
 */
export function unfrozen(frozen: string | null, program: string | null, packages: string | null): string | null {
  if (frozen === null) return null;
  if (program === null) return `the extractor is frozen as ${frozen}, and this is another program`;
  if (program !== frozen)
    return `the extractor is frozen as ${frozen}, found ${program}: its program or its requirements were changed`;
  return packages === AS_PINNED ? null : `the extractor is frozen, and its packages are ${packages ?? 'not stated'}`;
}
