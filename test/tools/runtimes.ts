import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ROOT } from '../cli/run-assay.ts';

/** A program that runs JavaScript, and what comes before the path of a script. */
export interface Runtime {
  readonly name: string;
  readonly command: readonly [program: string, ...flags: string[]];
}

const ARCH = process.arch === 'arm64' ? { node: 'arm64', bun: 'aarch64' } : { node: 'x64', bun: 'x64' };
/** Package, version, path of the program in the package, flags. */
const PROGRAMS: readonly (readonly [
  name: string,
  package_: string,
  version: string,
  program: string,
  flag?: string,
])[] = [
  ['node-24', `node-linux-${ARCH.node}`, '24.21.0', 'bin/node'],
  ['node-22', `node-linux-${ARCH.node}`, '22.23.3', 'bin/node'],
  ['node-26', `node-linux-${ARCH.node}`, '26.10.0', 'bin/node'],
  ['bun', `@oven/bun-linux-${ARCH.bun}`, '1.4.4', 'bin/bun'],
  ['deno', `@deno/linux-${ARCH.node}-glibc`, '2.9.6', 'deno', '-A'],
];

/**
 * The runtimes that Assay works on, Node 24 first. They come from the npm registry once and stay in node_modules/.cache:
 * as dependencies they would make every `npm ci` 400 MB larger. Throws if they cannot be installed.
 */
export function installRuntimes(): Runtime[] {
  const specs = PROGRAMS.map(([name, package_, version]) => `${name}@npm:${package_}@${version}`);
  const versions = PROGRAMS.map(([, , version]) => version).join('-');
  const folder = join(ROOT, 'node_modules/.cache', `assay-runtimes-${versions}`);
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    const partial = mkdtempSync(`${folder}.`);
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    const { status, stderr } = spawnSync('npm', ['install', ...flags, '--prefix', partial, ...specs], {
      encoding: 'utf8',
    });
    if (status !== 0) {
      rmSync(partial, { recursive: true });
      throw new Error(
        `Bun, Deno and Node could not be installed from the npm registry, so nothing was tested.\n${stderr}`,
      );
    }
    renameSync(partial, folder);
  }
  return PROGRAMS.map(([name, , , program, flag]) => ({
    name,
    command: [join(folder, 'node_modules', name, program), ...(flag === undefined ? [] : [flag])],
  }));
}
