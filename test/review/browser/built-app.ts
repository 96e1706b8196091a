import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { ROOT } from '../../cli/run-assay.ts';

const LOCK = join(ROOT, 'dist/.building-web');
const PATIENCE_MS = 120_000;

/** Builds the screens where any is older than its sources. Files of tests run side by side, so one of them builds. */
export async function buildApp(): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(200)) {
    if (areFresh()) return;
    if (!lock()) continue;
    try {
      const done = spawnSync(process.execPath, [join(ROOT, 'tools/build-web.mjs')], { encoding: 'utf8' });
      if (done.status !== 0) throw new Error(`the screens cannot be built:\n${done.stderr}`);
      return;
    } finally {
      rmSync(LOCK, { recursive: true, force: true });
    }
  }
  throw new Error(`the screens are not there: is ${LOCK} a leftover?`);
}

/** The screens take what they can from src/: whatever is there may be in them. */
function areFresh(): boolean {
  if (existsSync(LOCK)) return false;
  const pages = globSync('web/*/index.html', { cwd: ROOT });
  const built = pages.map((page) => basename(dirname(page))).map((name) => join(ROOT, 'dist/web', name, `${name}.js`));
  if (!built.every((file) => existsSync(file))) return false;
  const sources = globSync(['web/src/**/*.{ts,tsx,css}', 'src/**/*.ts', 'tools/build-web.mjs'], { cwd: ROOT });
  const newest = Math.max(...[...pages, ...sources].map(changed));
  return built.every((file) => statSync(file).mtimeMs > newest);
}

function changed(file: string): number {
  return statSync(join(ROOT, file)).mtimeMs;
}

function lock(): boolean {
  try {
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
}
