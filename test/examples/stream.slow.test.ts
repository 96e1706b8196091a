import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { example } from '../cli/run-assay.ts';
import { keptFolder } from './kept-folder.ts';
import { filesBelow } from './stream-files.ts';

it('run-all.sh runs every phase without containers; on another day and elsewhere it gives the same bytes', () => {
  const folder = keptFolder();
  const [first = {}, second = {}] = ['UTC', 'Asia/Kolkata'].map((zone, at) => {
    const cwd = join(folder, `place ${at}`);
    mkdirSync(cwd);
    const env = { ...process.env, NO_COLOR: '1', TZ: zone, LANG: at === 0 ? 'C' : 'de_DE.UTF-8' };
    const done = spawnSync('sh', [example('stream/run-all.sh'), 'all'], { cwd, env, encoding: 'utf8' });
    expect(done).toMatchObject({ status: 0 });
    const out = join(cwd, 'all');
    return Object.fromEntries(filesBelow(out).map((file) => [file, hash('md5', readFileSync(join(out, file)))]));
  });
  expect(Object.keys(first).length).toBeGreaterThan(70);
  expect(second).toEqual(first);
});
