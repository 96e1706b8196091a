// Compiles src/ to dist/ and puts the recipe presets beside it.
// With --if-possible (npm's "prepare") it stays silent where there is nothing to build or nothing to build it with,
// as in an install without development dependencies.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const presets = path.join('recipe', 'presets');

process.exitCode = process.argv.includes('--if-possible') && !canBuild() ? 0 : build();

function canBuild() {
  if (!existsSync(path.join(root, 'src', 'index.ts'))) return false;
  try {
    // The compiler proper is an optional package for each platform.
    const fromTypeScript = createRequire(createRequire(import.meta.url).resolve('typescript/package.json'));
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
  const from = path.join(root, 'src', presets);
  if (existsSync(from)) cpSync(from, path.join(root, 'dist', presets), { recursive: true });
  return 0;
}
