import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { ROOT } from '../../cli/run-assay.ts';

const BUILT = join(ROOT, 'dist/web/review/review.js');
const LOCK = join(ROOT, 'dist/.building-web');
const PATIENCE_MS = 60_000;

/** Builds the screens where they are older than their sources. Files of tests run side by side, so one of them builds. */
export async function buildApp(): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(200)) {
    if (isFresh()) return;
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

function isFresh(): boolean {
  if (existsSync(LOCK) || !existsSync(BUILT)) return false;
  const sources = globSync(
    ['web/src/**/*.{ts,tsx,css}', 'web/review/index.html', 'src/review/*.ts', 'tools/build-web.mjs'],
    { cwd: ROOT },
  );
  const newest = Math.max(...sources.map((file) => statSync(join(ROOT, file)).mtimeMs));
  return statSync(BUILT).mtimeMs > newest;
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
