import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import type { BatchServerOptions, BatchServerStats } from '../../experiment/batch/batch-server.ts';
import { chance } from '../../experiment/unruly-answer.ts';
import { BIN, temporaryFolder } from '../run-assay.ts';

const ITEMS = 1000;
/** Of each protocol: 24 in all, at other moments each. */
const KILLS = 8;
/** So many are in a batch: there are more batches than kills that meet the submission of one. */
const AT_ONCE = 75;
const KEY = 'sk-batch-key-0123456789';

const MODELS = {
  openai: ['openai-compatible/test', 'v1'],
  anthropic: ['anthropic/claude-sonnet-4-5', 'v1'],
  google: ['google/gemini-2.5-flash', 'v1beta'],
} as const;

/** In a process of its own, so that it goes on while this one waits. */
async function batchServer(options: BatchServerOptions): Promise<string> {
  const main = fileURLToPath(new URL('../../experiment/batch/batch-server-main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=assay-source', main, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return (JSON.parse(line.toString()) as { url: string }).url;
}

async function statsOf(url: string): Promise<BatchServerStats> {
  return (await (await fetch(`${url}/stats`)).json()) as BatchServerStats;
}

const idOf = (at: number): string => `i${String(at).padStart(4, '0')}`;

function experimentFolder(url: string, protocol: keyof typeof MODELS, count = ITEMS): string {
  const folder = temporaryFolder();
  const items = Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      id: idOf(at),
      input: { document_text: `[item ${idOf(at)}] Ann met Bo.` },
      expected_output: { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] },
    }),
  );
  const [model, version] = MODELS[protocol];
  writeFileSync(join(folder, 'items.jsonl'), `${items.join('\n')}\n`);
  writeFileSync(
    join(folder, 'experiment.yaml'),
    `name: batched
dataset: items.jsonl
target: { use: graph-extractor, model: ${model}, baseUrl: '${url}/${version}' }
limits: { concurrency: ${AT_ONCE} }
prices: { input: 10, output: 100 }
`,
  );
  return folder;
}

function start(folder: string, ...flags: readonly string[]): ChildProcess {
  const keys = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, GOOGLE_API_KEY: KEY };
  return spawn(process.execPath, [BIN, 'run', 'experiment.yaml', '--quiet', ...flags], {
    cwd: folder,
    env: { ...process.env, ...keys, LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const BATCH = ['--batch', '--batch-poll', '40ms'];

/** What a run leaves, by file, without its times. */
function resultOf(folder: string): Record<string, string> {
  const run = join(folder, 'runs/batched');
  const files = readdirSync(join(run, 'score')).filter((name) => name !== 'timing.json' && name !== 'report.html');
  const paths = ['items.jsonl', 'outputs.jsonl', ...files.map((name) => `score/${name}`)];
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(run, path), 'utf8')]));
}

/** At half of the moments a batch has just reached the server, which has not answered yet. */
async function killAtMoment(child: ChildProcess, url: string, protocol: string, at: number): Promise<boolean> {
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const before = (await statsOf(url)).batches;
  const isAtSubmission = at % 2 === 0;
  const deadline = performance.now() + (isAtSubmission ? 20_000 : 300 + 1200 * chance(`kill ${protocol}`, at));
  while (child.exitCode === null && performance.now() < deadline) {
    if (isAtSubmission && (await statsOf(url)).batches > before) break;
    await sleep(5);
  }
  child.kill('SIGKILL');
  const [code] = await ended;
  return code === null;
}

test.each(Object.keys(MODELS) as (keyof typeof MODELS)[])(
  'a run by batches of %s that is killed 8 times pays for every item once, and ends with the same bytes',
  async (protocol) => {
    const url = await batchServer({ workMs: 100, answerMs: 150 });
    const folder = experimentFolder(url, protocol);
    let kills = 0;
    while (kills < KILLS && (await killAtMoment(start(folder, ...BATCH), url, protocol, kills))) kills += 1;
    expect(kills).toBe(KILLS);
    expect(await once(start(folder, ...BATCH), 'exit')).toEqual([0, null]);
    const { batched, single, batches } = await statsOf(url);
    expect(Object.keys(batched)).toHaveLength(ITEMS);
    expect(Object.values(batched).filter((times) => times !== 1)).toEqual([]);
    expect(single).toEqual({});
    expect(batches).toBeGreaterThanOrEqual(Math.ceil(ITEMS / AT_ONCE));
    // Batches whose id was not known after a kill.
    const found = readFileSync(join(folder, 'runs/batched/batches.jsonl'), 'utf8').match(/"found":true/g) ?? [];
    expect(found.length).toBeGreaterThanOrEqual(KILLS / 4);

    const other = experimentFolder(url, protocol);
    expect(await once(start(other), 'exit')).toEqual([0, null]);
    expect(resultOf(folder)).toEqual(resultOf(other));

    const summary = JSON.parse(readFileSync(join(folder, 'runs/batched/summary.json'), 'utf8')) as {
      cost: { value: number };
      latency: unknown;
    };
    // 100 tokens in and 20 out: 0.003 by a single call.
    expect(summary.cost.value).toBeCloseTo(ITEMS * 0.0015, 9);
    expect(summary.latency).toBeNull();
    const written = ['batches.jsonl', 'log.jsonl'].map((name) =>
      readFileSync(join(folder, 'runs/batched', name), 'utf8'),
    );
    for (const text of written) expect(text).not.toContain(KEY);
    expect(existsSync(join(other, 'runs/batched/batches.jsonl'))).toBe(false);
  },
);

test('Ctrl-C leaves a batch running, says so, and the same command takes its answers', async () => {
  const url = await batchServer({ workMs: 4000 });
  const folder = experimentFolder(url, 'openai', 20);
  const child = spawn(process.execPath, [BIN, 'run', 'experiment.yaml', ...BATCH], {
    cwd: folder,
    env: { ...process.env, OPENAI_API_KEY: KEY, LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let written = '';
  child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()));
  while ((await statsOf(url)).polls < 2) await sleep(20);
  const interrupted = performance.now();
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(performance.now() - interrupted).toBeLessThan(5000);
  expect(written).toContain('batches stay with the provider, and the same command takes their answers');
  expect(await once(start(folder, ...BATCH), 'exit')).toEqual([0, null]);
  const { batched, single, batches } = await statsOf(url);
  expect([Object.keys(batched).length, single, batches]).toEqual([20, {}, 1]);
});
