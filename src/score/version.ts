import { readFileSync } from 'node:fs';

import { z } from 'zod';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The package's version, from its own package.json (two folders up, in the sources and in the compiled package alike). */
export const VERSION = z.object({ version: z.string() }).parse(manifest).version;
