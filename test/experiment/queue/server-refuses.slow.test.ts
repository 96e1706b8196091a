import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';

import { openQueueServer } from '../../../src/experiment/queue/connection.ts';
import { ROOT } from '../../cli/run-assay.ts';
import { startUnrulyServer } from '../unruly-server.ts';
import { experimentFolder, startRun, startWorker, temporary } from './queue-run.ts';
import { startCluster, startPooler, startQueueServer, startRedis, type TestQueueServer } from './queue-server.ts';

const target = (url: string): string => `{ use: graph-extractor, model: openai-compatible/unruly, baseUrl: '${url}' }`;

async function running(start: Promise<TestQueueServer>): Promise<TestQueueServer> {
  const server = await start;
  onTestFinished(() => server.close());
  return server;
}

const refusal = async (url: string): Promise<unknown> =>
  openQueueServer(url).then(
    (server) => server.close(),
    (error: unknown) => error,
  );

test('a run on a Redis in cluster mode: all keys of the queue are in one slot, and KEDA finds the waiting jobs', async () => {
  const server = await running(startCluster());
  const model = await startUnrulyServer({ latencyMs: [1, 2] });
  onTestFinished(() => model.close());
  const folder = temporary(experimentFolder(40, target(model.url)));
  const run = startRun(folder, server.url, '--quiet');
  const client = new Redis(server.url);
  onTestFinished(() => client.disconnect());
  const [, list = ''] = /listName: '(.*)'/.exec(
    readFileSync(join(ROOT, 'examples/queue/kubernetes-workers.yaml'), 'utf8'),
  )!;
  await expect.poll(() => client.llen(list), { timeout: 60_000 }).toBeGreaterThan(0);
  const seen = await openQueueServer(server.url);
  expect((await seen.status()).jobs.waiting).toBe(await client.llen(list));
  await seen.close();
  startWorker(folder, server.url);
  expect([await run.ended, run.text()]).toEqual([0, expect.any(String)]);
  const keys = await client.keys('*');
  expect(keys.filter((key) => !key.startsWith('{assay}:'))).toEqual([]);
});

describe('a Redis that refuses', () => {
  test('a wrong password, none at all, or a user without rights is reported at once, without the password', async () => {
    const server = await running(
      startRedis(['--requirepass', 'opensesame', '--user', 'bob', 'on', '>hunter2', '+ping', '+info', '+select']),
    );
    const host = new URL(server.url).host;
    for (const [login, word] of [
      ['', 'NOAUTH'],
      [':wrongsecret@', 'WRONGPASS'],
      ['bob:hunter2@', 'NOPERM'],
    ] as const) {
      const error = await refusal(`redis://${login}${host}`);
      expect(String(error)).toContain(`the queue redis://${host} refuses: ${word}`);
      expect(String(error)).not.toMatch(/wrongsecret|hunter2/);
    }
  });

  test.each([
    ['OOM', async (client: Redis) => void (await client.config('SET', 'maxmemory', '1mb'))],
    ['READONLY', async (client: Redis) => void (await client.replicaof('127.0.0.1', '1'))],
  ])('%s while they are at work ends run and worker with exit 2 and the reason', async (word, refuse) => {
    const server = await running(startRedis());
    const model = await startUnrulyServer({ latencyMs: [200, 300] });
    onTestFinished(() => model.close());
    const folder = temporary(experimentFolder(400, target(model.url)));
    const programs = [startRun(folder, server.url, '--quiet'), startWorker(folder, server.url)];
    await expect.poll(async () => (await model.stats()).paid, { timeout: 60_000 }).toBeGreaterThan(20);
    const client = new Redis(server.url);
    onTestFinished(() => client.disconnect());
    await refuse(client);
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([2, 2]);
    for (const program of programs) expect(program.text()).toContain(`refuses: ${word}`);
  });
});

describe('a Postgres that refuses', () => {
  test('a database that is not there, a user without rights, and a pooler are reported with what to do', async () => {
    const server = await running(startQueueServer('postgres'));
    const admin = new pg.Client(server.url);
    await admin.connect();
    await admin.query("CREATE ROLE bob LOGIN PASSWORD 'hunter2'");
    await admin.end();
    const { host } = new URL(server.url);
    expect(await refusal(`postgres://assay@${host}/none`)).toMatchObject({
      message: expect.stringContaining('refuses: SQLSTATE 3D000'),
      next: expect.stringContaining('create the database'),
    });
    expect(await refusal(`postgres://bob:hunter2@${host}/assay`)).toMatchObject({
      message: `the queue postgres://${host}/assay refuses: SQLSTATE 42501`,
    });
    // As a stock PgBouncer, then with the setting that its users are told to add for search_path.
    for (const settings of [
      'pool_mode = transaction',
      'pool_mode = transaction\nignore_startup_parameters = options',
    ]) {
      const pooler = await startPooler(server, settings);
      onTestFinished(() => pooler.close());
      expect(await refusal(pooler.url)).toMatchObject({
        name: 'UsageError',
        next: 'use the direct address of Postgres, not the pooled one',
      });
    }
  });
});
