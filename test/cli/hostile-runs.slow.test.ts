import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import type { Live } from '../../src/server/runs/live-data.ts';
import { assay, BIN, PII, temporaryFolder } from './run-assay.ts';

const HUGE = 2 ** 41;
/** More than Node has threads for files: were each held by one, nobody else could read anything. */
const COPIES = 6;

const fifo = (path: string): void => void execFileSync('mkfifo', [path]);
const huge = (path: string): void => {
  writeFileSync(path, '');
  truncateSync(path, HUGE);
};
const zero = (path: string): void => symlinkSync('/dev/zero', path);

it('serve shows good runs, and answers, beside folders that are made to hold it up', async () => {
  const folder = temporaryFolder();
  const runs = join(folder, 'runs');
  expect(assay([...PII, '--set', 'interval=off', '--out', join(runs, 'good'), '--quiet']).code).toBe(0);
  for (const [name, make] of Object.entries({ fifo, huge, zero })) {
    for (const file of ['measures.json', 'audit.json', 'ledger.jsonl', 'report.html', 'timing.json']) {
      for (let copy = 0; copy < COPIES; copy += 1) {
        const place = join(runs, `${name}-${file}-${copy}`);
        cpSync(join(runs, 'good'), place, { recursive: true });
        rmSync(join(place, file));
        make(join(place, file));
      }
    }
    const bare = join(runs, `${name}-bare`);
    mkdirSync(bare);
    make(join(bare, 'manifest.json'));
    const experiment = join(runs, `${name}-experiment`);
    mkdirSync(experiment);
    writeFileSync(join(experiment, 'experiment.json'), '{}');
    for (const file of ['.assay-lock', 'summary.json']) make(join(experiment, file));
  }
  // Large enough to keep a server busy for long, were it read.
  const large = join(runs, 'large');
  cpSync(join(runs, 'good'), large, { recursive: true });
  writeFileSync(join(large, 'measures.json'), `[${'{},'.repeat(20 << 20)}{}]`);

  const child = spawn(
    process.execPath,
    [BIN, 'serve', '--port', '0', '--data', join(folder, 'data'), '--runs', runs, '--json'],
    { env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = await new Promise<string>((resolve) => {
    child.stdout.once('data', (part: Buffer) => resolve(part.toString()));
  });
  const { url } = JSON.parse(said) as { url: string };
  const live = (await (await fetch(`${url}/live`)).json()) as Live;
  const state = new Map(live.runs.map((run) => [run.path, run.state]));
  expect(state.get('good')).toBe('ready');
  expect(state.get('fifo-measures.json-0')).toBe('broken');
  expect(state.get('zero-ledger.jsonl-0')).toBe('broken');
  expect(state.get('huge-audit.json-0')).toBe('broken');
  expect(state.get('large')).toBe('broken');
  expect(live.experiments.map(({ path }) => path)).toContain('fifo-experiment');
  // Every page is asked for at once, and that of the good run is among those that come.
  const paths = live.runs.filter((run) => run.state === 'ready').map(({ path }) => path);
  const pages = await Promise.all(paths.map(async (path) => (await fetch(`${url}/run/${path}/`)).status));
  expect(pages[paths.indexOf('good')]).toBe(200);
  expect(pages.every((status) => status < 500 || status === 503)).toBe(true);
  expect((await fetch(`${url}/live`)).status).toBe(200);
});
