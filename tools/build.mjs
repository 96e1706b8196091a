// Bundles src/ to dist/, with the types that the entry points of the package lead to, and puts beside it what is read while
// running: presets, tables, variants, the vocabulary, a program, the screens of web/.
// With --if-possible, after each install in a checkout, it is silent if there is nothing to build or nothing to build it
// with, as without development dependencies. npm's "dependencies" runs it and not "prepare": that is a script of the
// package too, about which npm warns everybody who installs the archive.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const ifPossible = process.argv.includes('--if-possible');
process.exitCode = ifPossible && !canBuild() ? 0 : build();

function canBuild() {
  if (!existsSync(path.join(root, 'src', 'index.ts'))) return false;
  try {
    const here = createRequire(import.meta.url);
    here.resolve('rolldown/package.json');
    // The compiler proper is an optional package for each platform.
    const fromTypeScript = createRequire(here.resolve('typescript/package.json'));
    fromTypeScript.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`);
    return true;
  } catch {
    return false;
  }
}

function build() {
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  typeJson(path.join(root, 'dist'));
  keepReachedTypes(path.join(root, 'dist'));
  cpSync(path.join(root, 'src'), path.join(root, 'dist'), { recursive: true, filter: isReadWhileRunning });
  return (
    runNewer('bundle.mjs') ||
    runNewer('sbom.mjs') ||
    runNewer('build-web.mjs', ...(ifPossible ? ['--if-possible'] : []))
  );
}

/**
 * Gives each JSON file that types import a file of types: read as JSON, it would need settings that a project may not have
 * (resolveJsonModule, import attributes).
 * @param {string} dist
 */
function typeJson(dist) {
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(dist, name);
    if (!name.endsWith('.d.ts')) continue;
    const text = readFileSync(file, 'utf8');
    const typed = text.replaceAll(/ from '(\.[^']*\.json)'(?: with \{[^}]*\})?;/g, (_, /** @type {string} */ json) => {
      /** @type {unknown} */
      const value = JSON.parse(readFileSync(path.join(root, 'src', path.dirname(name), json), 'utf8'));
      const place = path.join(path.dirname(file), `${json}.d.ts`);
      writeFileSync(place, `declare const value: ${typeOf(value)};\nexport default value;\n`);
      return ` from '${json}.js';`;
    });
    if (typed !== text) writeFileSync(file, typed);
  }
}

/**
 * The type that TypeScript gives a value of a JSON file.
 * @param {unknown} value
 * @returns {string}
 */
function typeOf(value) {
  if (Array.isArray(value)) return `(${[...new Set(value.map(typeOf))].join(' | ') || 'never'})[]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${typeOf(inner)}`)
    .join('; ')} }`;
}

/**
 * Removes the types that no entry point of the package leads to: those of commands, screens and workers.
 * @param {string} dist
 */
function keepReachedTypes(dist) {
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
  const reached = new Set(
    [...manifest.matchAll(/"types": "\.\/dist\/(.+)"/g)].map(([, name = '']) => path.join(dist, name)),
  );
  for (const file of reached)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\()["'](\.[^"']+)\.[jt]s["']/g))
      reached.add(path.join(path.dirname(file), `${name}.d.ts`));
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.d.ts') && !reached.has(path.join(dist, name))) rmSync(path.join(dist, name));
}

/**
 * Rolldown and Vite want a newer Node than tsc does.
 * @param {string} script
 * @param {readonly string[]} args
 */
function runNewer(script, ...args) {
  const run = path.join(root, 'tools', 'runtime', 'run.js');
  const line = [run, path.join(root, 'tools', script), ...args];
  return spawnSync(process.execPath, line, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/**
 * Folders are looked into; of files, what tsc does not make.
 * @param {string} source
 */
function isReadWhileRunning(source) {
  return statSync(source).isDirectory() ? path.basename(source) !== '__pycache__' : !/\.tsx?$/.test(source);
}
