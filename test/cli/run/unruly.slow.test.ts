import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import { type UnrulyOptions, type UnrulyStats, unrulyStats } from '../../experiment/unruly-server.ts';
import { BIN } from '../run-assay.ts';

const ITEMS = 1000;
const CONCURRENCY = 16;
const KILLS = 20;
const KEY = 'sk-unruly-key-0123456789';

const UNRULY: UnrulyOptions = {
  seed: 7,
  latencyMs: [2, 25],
  passing: {
    'rate-seconds': 0.005,
    'rate-ms': 0.02,
    'rate-silent': 0.01,
    'server-error': 0.03,
    unavailable: 0.02,
    dropped: 0.03,
  },
  mostPassing: 3,
  lasting: { 'no-json': 0.01, 'no-json-content': 0.02, schema: 0.02, length: 0.01 },
};

/** The server in a process of its own, so that it goes on while this one waits. */
async function unrulyServer(): Promise<string> {
  const main = fileURLToPath(new URL('../../experiment/unruly-server-main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=assay-source', main, JSON.stringify(UNRULY)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill();
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return (JSON.parse(line.toString()) as { url: string }).url;
}

function experimentFolder(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-unruly-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const items = Array.from({ length: ITEMS }, (_, at) => {
    const id = `i${String(at).padStart(4, '0')}`;
    return JSON.stringify({
      id,
      input: { document_text: `[item ${id}] Ann met Bo.` },
      expected_output: { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] },
    });
  });
  writeFileSync(join(folder, 'items.jsonl'), `${items.join('\n')}\n`);
  writeFileSync(
    join(folder, 'experiment.yaml'),
    `name: unruly
dataset: items.jsonl
target: { use: graph-extractor, model: openai-compatible/unruly, baseUrl: '${url}' }
limits: { concurrency: ${CONCURRENCY}, retries: 6, timeout: 20s }
`,
  );
  return folder;
}

function start(folder: string): ChildProcess {
  return spawn(process.execPath, [BIN, 'run', 'experiment.yaml', '--quiet'], {
    cwd: folder,
    env: { ...process.env, OPENAI_API_KEY: KEY, LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function finished(folder: string): Promise<number> {
  const [code] = (await once(start(folder), 'exit')) as [number];
  return code;
}

interface Output {
  readonly id: string;
  readonly output?: unknown;
  readonly error?: string;
}

function outputs(folder: string): Output[] {
  return readFileSync(join(folder, 'runs/unruly/outputs.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Output);
}

function paidMoreThanOnce(stats: UnrulyStats): string[] {
  return Object.entries(stats.contents)
    .filter(([, { paid }]) => paid > 1)
    .map(([id]) => id);
}

test('1,000 items through an unruly server: all accounted for, each paid once; killed 20 times: the same', async () => {
  const calmUrl = await unrulyServer();
  const calm = experimentFolder(calmUrl);
  expect(await finished(calm)).toBe(0);
  const calmOutputs = outputs(calm);
  expect(calmOutputs.map(({ id }) => id)).toEqual(
    Array.from({ length: ITEMS }, (_, at) => `i${String(at).padStart(4, '0')}`),
  );
  const failed = calmOutputs.filter(({ error }) => error !== undefined);
  // 6 % of questions have an answer that is of no use; no failure that passes is left.
  expect(failed.length).toBeGreaterThan(20);
  expect(failed.length).toBeLessThan(120);
  expect(new Set(failed.map(({ error }) => error!.split(':')[0]))).toEqual(new Set(['schema', 'answer']));
  const calmStats = await unrulyStats(calmUrl);
  expect(calmStats.paid).toBe(ITEMS);
  expect(paidMoreThanOnce(calmStats)).toEqual([]);
  expect(calmStats.calls).toBeGreaterThan(ITEMS);
  expect(calmStats.peak).toBeLessThanOrEqual(CONCURRENCY);

  const url = await unrulyServer();
  const folder = experimentFolder(url);
  let kills = 0;
  // A generator of its own: the moments are the same in every run of the test, as far as the machine lets them be.
  let random = 42;
  while (kills < KILLS) {
    const child = start(folder);
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    const wait = 500 + (random / 2_147_483_648) * 1200;
    await Promise.race([ended, new Promise((resume) => setTimeout(resume, wait))]);
    if (child.exitCode !== null) break;
    child.kill('SIGKILL');
    await ended;
    kills += 1;
  }
  expect(kills).toBe(KILLS);
  expect(await finished(folder)).toBe(0);
  expect(readFileSync(join(folder, 'runs/unruly/outputs.jsonl'), 'utf8')).toBe(
    readFileSync(join(calm, 'runs/unruly/outputs.jsonl'), 'utf8'),
  );
  const stats = await unrulyStats(url);
  const again = stats.paid - ITEMS;
  expect(again).toBeGreaterThanOrEqual(0);
  expect(again).toBeLessThanOrEqual(KILLS * CONCURRENCY);
  for (const [id, { paid }] of Object.entries(stats.contents)) expect([id, paid <= 1 + KILLS]).toEqual([id, true]);
  expect(paidMoreThanOnce(stats).length).toBeLessThanOrEqual(KILLS * CONCURRENCY);
}, 300_000);
