import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { UsageError } from './problems.ts';
import { isRecord } from './record-fields.ts';

/** Two folders up in the sources and in the compiled package alike. */
const MANIFEST = fileURLToPath(new URL('../../package.json', import.meta.url));

/**
 * Loads packages that only some users need and install: those that package.json lists as optional peers. Throws UsageError
 * with the command that installs them if they are missing. `what` needs them: `Langfuse`, `--queue redis://…`.
 */
export async function loadOptional<T>(
  what: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<Awaited<T>> {
  try {
    return await load();
  } catch (error) {
    const [, missing] = /^Cannot find package '([^']+)'/.exec(error instanceof Error ? error.message : '') ?? [];
    if (missing === undefined) throw error;
    // A package that one of them needs itself is missing where a package manager does not install peers.
    const names = [...new Set([...packages, missing])];
    throw new UsageError(
      `${what} needs ${names.length === 1 ? 'a package that is' : 'packages that are'} not installed`,
      installCommand(names),
    );
  }
}

/**
 * Where the packages have to be for this program to find them: beside it. The arguments are those of this process but in
 * tests.
 *
 * @example installCommand(['ai']) // 'npm install ai@7'
 */
export function installCommand(names: readonly string[], manifest = MANIFEST, workingFolder = process.cwd()): string {
  const modules = manifest.indexOf(`${sep}node_modules${sep}`);
  const home = modules < 0 ? workingFolder : manifest.slice(0, modules);
  const isOutside = relative(home, workingFolder).split(sep)[0] === '..';
  const how = !isOutside ? '' : home.split(sep).includes('_npx') ? 'assay ' : '--global ';
  const ranges = peerRanges();
  return `npm install ${how}${names.map((name) => `${name}${majorOf(ranges[name])}`).join(' ')}`;
}

function peerRanges(): Readonly<Record<string, unknown>> {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const peers = isRecord(manifest) ? manifest['peerDependencies'] : null;
  return isRecord(peers) ? peers : {};
}

/** `@7` of `^6.1.0 || ^7.0.169`: the newest release may be one that this version cannot use. */
function majorOf(range: unknown): string {
  const [, major] = /(?:^|\|\| )\^(\d+)\.[\d.]+$/.exec(String(range)) ?? [];
  return major === undefined ? '' : `@${major}`;
}
