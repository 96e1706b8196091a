import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { isRecord } from '../src/data/record-fields.ts';

const ROOT = resolve(import.meta.dirname, '..');

export interface PackedInstall {
  /** A folder with the packed package and its dependencies in node_modules. */
  readonly folder: string;
  /** The archive that npm made. */
  readonly archive: string;
  /** The command of the package. */
  readonly bin: string;
  remove(): void;
}

/**
 * The package as `npm pack` makes it of the files at hand, installed in an empty folder. It is built from a copy: others may
 * be reading dist/. Dependencies are links to those of the checkout.
 */
export function packedInstall(): PackedInstall {
  const folder = mkdtempSync(join(tmpdir(), 'assay-packed-'));
  const copy = join(folder, 'copy');
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  for (const file of listed.split('\0').filter((name) => name !== '' && !/^(?:test|docs|bench)\//.test(name)))
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(copy, file), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  execFileSync(process.execPath, ['tools/build.mjs'], { cwd: copy, stdio: 'pipe' });
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: copy,
    encoding: 'utf8',
  });
  const installed = join(folder, 'node_modules', 'assay');
  mkdirSync(installed, { recursive: true });
  const archive = join(folder, packed.trim());
  execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  for (const name of dependencyFolders()) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  rmSync(copy, { recursive: true });
  return {
    folder,
    archive,
    bin: join(installed, 'bin/assay.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The packages that it depends on itself; these find their own in the checkout. */
function dependencyFolders(): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const dependencies = isRecord(manifest) ? manifest['dependencies'] : null;
  return isRecord(dependencies) ? Object.keys(dependencies) : [];
}
