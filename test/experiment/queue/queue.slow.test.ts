import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import type { ExperimentSummary } from '../../../src/experiment/summary.ts';
import { startUnrulyServer } from '../unruly-server.ts';
import {
  answered,
  bytesOf,
  experimentFolder,
  itemIds,
  keepWorking,
  logsOf,
  startKeylessWorker,
  startRun,
  startWorker,
  temporary,
} from './queue-run.ts';
import { QUEUE_SERVERS, startQueueServer, type TestQueueServer } from './queue-server.ts';

const ITEMS = 200;
const UNRULY = {
  seed: 7,
  latencyMs: [60, 180],
  passing: { 'rate-seconds': 0.005, 'rate-ms': 0.03, 'server-error': 0.03, dropped: 0.02 },
  lasting: { schema: 0.02, 'no-json-content': 0.02 },
} as const;

const target = (url: string): string => `{ use: graph-extractor, model: openai-compatible/unruly, baseUrl: '${url}' }`;

/** What one process makes of the same items, without a queue. */
let alone: Record<string, string> = {};
beforeAll(async () => {
  const model = await startUnrulyServer({ ...UNRULY, latencyMs: [1, 2] });
  const folder = experimentFolder(ITEMS, target(model.url));
  const ended = await startRun(folder, null, '--quiet').ended;
  if (ended !== 0) throw new Error(`the run without a queue ended with ${ended}`);
  alone = bytesOf(folder);
  return async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

test('a run that was killed reports the calls whose answers it never saw: as many as the server counted beyond', async () => {
  const model = await startUnrulyServer({ seed: 3, latencyMs: [100, 200] });
  onTestFinished(() => model.close());
  const folder = temporary(experimentFolder(60, target(model.url)));
  for (const count of [10, 30]) {
    const killed = startRun(folder, null, '--quiet');
    await answered(folder, count);
    killed.child.kill('SIGKILL');
    await killed.ended;
  }
  const run = startRun(folder, null);
  expect([await run.ended, run.text()]).toEqual([0, expect.stringMatching(/calls were begun whose answer never came/)]);
  const summary = JSON.parse(readFileSync(join(folder, 'runs/queued/summary.json'), 'utf8')) as ExperimentSummary;
  const { paid } = await model.stats();
  expect(summary.answered).toBe(60);
  // Some of the lost calls were cut before the server had read them.
  expect(summary.calls.made + (summary.lostCalls ?? 0)).toBeGreaterThanOrEqual(paid);
  expect(summary.lostCalls).toBeLessThanOrEqual(16);
});

describe.each(QUEUE_SERVERS)('a queue on %s', (kind) => {
  let server: TestQueueServer;
  beforeAll(async () => {
    server = await startQueueServer(kind);
    return () => server.close();
  }, 240_000);

  test('a worker killed, 429s, the queue restarted: each item is paid once, and the bytes are those of one process', async () => {
    const model = await startUnrulyServer(UNRULY);
    onTestFinished(() => model.close());
    const folder = temporary(experimentFolder(ITEMS, target(model.url)));
    const workers = [1, 2, 3].map(() => startWorker(folder, server.url));
    const run = startRun(folder, server.url, '--quiet');
    await answered(folder, 40);
    workers[0]!.child.kill('SIGKILL');
    await answered(folder, 90);
    await server.restart(500);
    expect([await run.ended, run.text()]).toEqual([0, expect.any(String)]);

    expect(bytesOf(folder)).toEqual(alone);
    // What workers wrote is in the run's own log, and nothing of the queue is left.
    expect(logsOf(join(folder, 'runs/queued'))).toEqual(['log.jsonl']);
    expect(readdirSync(join(folder, 'runs/queued'))).not.toContain('queue.json');
    const { contents } = await model.stats();
    const twice = Object.entries(contents).filter(([, { paid }]) => paid > 1);
    // The calls that the killed worker had out, which nobody could see the answers of.
    expect(twice.length).toBeLessThanOrEqual(4);
    expect(Math.max(...Object.values(contents).map(({ paid }) => paid))).toBeLessThanOrEqual(2);
    expect(Object.keys(contents).sort()).toEqual(itemIds(ITEMS));
    // A polite kill drains.
    for (const { child } of workers.slice(1)) child.kill('SIGTERM');
    expect([await workers[1]!.ended, await workers[2]!.ended]).toEqual([0, 0]);
  });

  test('the coordinator killed, then interrupted: the same command resumes, and nothing is paid twice', async () => {
    const model = await startUnrulyServer({ ...UNRULY, passing: {} });
    onTestFinished(() => model.close());
    const folder = temporary(experimentFolder(ITEMS, target(model.url)));
    const workers = [1, 2, 3].map(() => startWorker(folder, server.url));
    const killed = startRun(folder, server.url, '--quiet');
    await answered(folder, 50);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const interrupted = startRun(folder, server.url, '--quiet');
    await answered(folder, 110, () => ['log.jsonl']);
    interrupted.child.kill('SIGINT');
    expect(await interrupted.ended).toBe(130);
    expect(await startRun(folder, server.url, '--quiet').ended).toBe(0);
    expect(bytesOf(folder)).toEqual(alone);
    const { paid, contents } = await model.stats();
    expect([paid, Object.keys(contents).length]).toEqual([ITEMS, ITEMS]);
    for (const { child } of workers) child.kill('SIGINT');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  });

  test('workers on machines that come and go: sound items are all answered, and lost calls are counted', async () => {
    const items = 40;
    const model = await startUnrulyServer({ seed: 3, latencyMs: [300, 900] });
    onTestFinished(() => model.close());
    const folder = temporary(experimentFolder(items, target(model.url), 'prices: { input: 1, output: 1 }\n'));
    const run = startRun(folder, server.url, '--quiet', '--json');
    const isOver = (): boolean => run.child.exitCode !== null;
    const place = join(folder, 'runs/queued');
    const begunCalls = (): number =>
      logsOf(place).reduce((sum, name) => sum + readFileSync(join(place, name), 'utf8').split('"begun"').length - 1, 0);
    const machines = [0, 1, 2].map(async () => {
      for (let life = 0; !isOver(); life += 1) {
        const worker = startWorker(folder, server.url, '--lost-after', '2s');
        // Sound at last, so that the test ends.
        const before = begunCalls();
        if (life < 3) {
          while (!isOver() && begunCalls() < before + 4) await sleep(20);
          worker.child.kill('SIGKILL');
        }
        await Promise.race([worker.ended, run.ended]);
      }
    });
    const ended = await run.ended;
    expect([ended, run.text()]).toEqual([0, expect.any(String)]);
    await Promise.all(machines);
    const summary = JSON.parse(readFileSync(join(folder, 'runs/queued/summary.json'), 'utf8')) as ExperimentSummary;
    expect(summary).toMatchObject({ answered: items, failed: 0 });
    const { paid } = await model.stats();
    const { calls, lostCalls = 0, lostCost = 0 } = summary;
    expect(lostCalls).toBeGreaterThan(0);
    expect(calls.made + lostCalls).toBeGreaterThanOrEqual(paid);
    expect(lostCost).toBeGreaterThan(0);
  });

  test('a worker that may not run programs gives their jobs back, and does those of other runs', async () => {
    const model = await startUnrulyServer({ latencyMs: [1, 2] });
    onTestFinished(() => model.close());
    const folder = temporary(experimentFolder(10, '{ use: module, module: ./target.mjs }'));
    writeFileSync(join(folder, 'target.mjs'), 'export default () => ({ entities: [], relationships: [] });\n');
    const run = startRun(folder, server.url, '--root', tmpdir());
    const worker = startWorker(tmpdir(), server.url);
    await expect.poll(() => worker.text(), { timeout: 60_000 }).toContain('--allow-programs');
    const sound = temporary(experimentFolder(10, target(model.url)));
    expect(await startRun(sound, server.url, '--quiet', '--root', tmpdir()).ended).toBe(0);
    expect(worker.child.exitCode).toBeNull();
    startWorker(tmpdir(), server.url, '--allow-programs');
    expect([await run.ended, run.text()]).toEqual([0, expect.stringContaining('a worker cannot do this')]);
  });

  test('a worker without a key ends with the reason, and the run goes on with one that has it', async () => {
    const model = await startUnrulyServer({ latencyMs: [1, 2] });
    onTestFinished(() => model.close());
    const keyed = `{ use: graph-extractor, model: openai/test, baseUrl: '${model.url}' }`;
    const folder = temporary(experimentFolder(10, keyed));
    const run = startRun(folder, server.url);
    const keyless = startKeylessWorker(folder, server.url);
    expect([await keyless.ended, keyless.text()]).toEqual([2, expect.stringContaining('OPENAI_API_KEY is not set')]);
    startWorker(folder, server.url);
    expect([await run.ended, run.text()]).toEqual([0, expect.stringContaining('a worker cannot do this: no key for')]);
    expect((await model.stats()).paid).toBe(10);
  });

  test('an item that ends every worker is reported; all others are answered and the run ends', async () => {
    const folder = temporary(experimentFolder(24, '{ use: module, module: ./target.mjs }'));
    writeFileSync(
      join(folder, 'target.mjs'),
      `import { appendFileSync } from 'node:fs';
export default async ({ id }) => {
  appendFileSync(new URL('calls.txt', import.meta.url), id + '\\n');
  if (id === 'i007') process.kill(process.ppid, 'SIGKILL');
  return { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] };
};
`,
    );
    const workers = [1, 2, 3].map(() => keepWorking(folder, server.url, '--lost-after', '2s', '--allow-programs'));
    const run = startRun(folder, server.url);
    expect([await run.ended, run.text()]).toEqual([0, expect.stringMatching(/answered +23/)]);
    for (const worker of workers) await worker.stop();
    const outputs = readFileSync(join(folder, 'runs/queued/outputs.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: string; readonly error?: string });
    expect(outputs.map(({ id }) => id)).toEqual(itemIds(24));
    const failed = outputs.filter(({ error }) => error !== undefined);
    expect(failed).toEqual([
      { id: 'i007', error: expect.stringMatching(/^program: the worker process ended each time/) },
    ]);
    const calls = readFileSync(join(folder, 'calls.txt'), 'utf8').trim().split('\n');
    // Once among others, and three times alone.
    expect(calls.filter((id) => id === 'i007').length).toBe(4);
  });
});
