import { readFileSync } from 'node:fs';

import { isRecord } from '../data/record-fields.ts';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The package's version, from its own package.json (two folders up, in the sources and in the compiled package alike). No schema: `--version` should not wait for zod. */
export const VERSION = String(isRecord(manifest) ? manifest['version'] : manifest);
