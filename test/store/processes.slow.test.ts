import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { openStore } from '../../src/store/store.ts';
import { ALL, scratchFolder, scratchStore } from './scratch-store.ts';

const MAIN = fileURLToPath(new URL('writer-main.ts', import.meta.url));
const SOURCES = '--conditions=assay-source';

function start(folder: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [SOURCES, MAIN, folder, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function done(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : null;
}

function expectSound(file: string): void {
  const raw = new DatabaseSync(file, { readOnly: true });
  expect(raw.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(raw.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  raw.close();
}

it('processes that open a new store at once all get it', async () => {
  const folder = join(scratchFolder(), 'new');
  const codes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => done(start(folder, name, 'open'))));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(existsSync(join(folder, 'store.db-wal'))).toBe(false);
});

it('processes that write at once lose nothing and make nothing twice', async () => {
  const folder = scratchFolder();
  const store = scratchStore(folder);
  store.datasets.save({ name: 'shared' });
  const codes = await Promise.all(['a', 'b', 'c'].map((name) => done(start(folder, name, 'mixed', '20'))));
  expect(codes).toEqual([0, 0, 0]);
  expect(store.traces.list({}, ALL).total).toBe(60);
  expect(store.scores.list({}, ALL).total).toBe(60 * 13);
  const prompt = store.prompts.list({}, ALL).rows[0];
  expect(prompt?.versions).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
  expect(store.prompts.get('shared')?.version).toBe(60);
  expect(store.prompts.get('shared', { label: 'latest' })?.version).toBe(60);
  expect([...store.datasets.items('shared')]).toHaveLength(61);
  for (const version of store.datasets.versions('shared'))
    expect([...store.datasets.items('shared', { at: version.at })]).toHaveLength(version.items);
  expectSound(store.file);
});

it('a process waits while another one writes', async () => {
  const folder = scratchFolder();
  const store = scratchStore(folder);
  const child = start(folder, 'held', 'hold', '3000');
  await once(createInterface({ input: child.stdout! }), 'line');
  const began = performance.now();
  expect(store.traces.get('held')).toBeNull();
  expect(performance.now() - began).toBeLessThan(2500);
  store.traces.save({ id: 'waited' });
  expect(store.traces.get('held')).not.toBeNull();
  expect(await done(child)).toBe(0);
});

it('kill -9 in the middle of writing loses nothing that was finished and leaves nothing half done', async () => {
  const folder = scratchFolder();
  const finished: string[] = [];
  for (const [round, lines] of [3, 11, 1, 30].entries()) {
    const child = start(folder, `round ${round}`, 'endless');
    let seen = 0;
    for await (const line of createInterface({ input: child.stdout! })) {
      finished.push(`round ${round} ${line}`);
      seen += 1;
      if (seen === lines) child.kill('SIGKILL');
    }
    await done(child);
    const store = openStore(folder);
    const traces = store.traces.list({}, ALL).rows;
    expect(traces.map((trace) => trace.id)).toEqual(expect.arrayContaining(finished));
    for (const { id } of traces) {
      expect(store.scores.ofTrace(id)).toHaveLength(13);
      expect(store.traces.observationsOf(id)).toHaveLength(1);
    }
    store.close();
    expectSound(store.file);
  }
});

it.skipIf(process.platform === 'win32')('a file that may not grow is the user’s to mend, and stays whole', async () => {
  const folder = scratchFolder();
  openStore(folder).close();
  // In blocks of 512 or 1,024 bytes.
  const limited = `ulimit -f 3000; exec "$0" "$@"`;
  const failed: unknown = await promisify(execFile)('bash', [
    '-c',
    limited,
    process.execPath,
    SOURCES,
    MAIN,
    folder,
    'f',
    'fill',
  ]).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/UsageError: .*(the disk refuses|the disk is full)/),
  });
  const store = openStore(folder);
  const { rows, total } = store.traces.list({}, ALL);
  expect(total).toBeGreaterThan(0);
  for (const { id } of rows) expect(store.scores.ofTrace(id)).toHaveLength(13);
  store.close();
  expectSound(store.file);
});
