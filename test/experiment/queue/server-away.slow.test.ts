import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { startUnrulyServer } from '../unruly-server.ts';
import { answered, experimentFolder, type Process, startRun, startWorker, temporary } from './queue-run.ts';
import { QUEUE_SERVERS, startQueueServer, type TestQueueServer } from './queue-server.ts';

const target = (url: string): string => `{ use: graph-extractor, model: openai-compatible/unruly, baseUrl: '${url}' }`;

const within = (program: Process, ms: number): Promise<number | string> =>
  Promise.race([program.ended, sleep(ms, `still there after ${ms} ms: ${program.text()}`)]);

describe.each(QUEUE_SERVERS)('a queue on %s that went away', (kind) => {
  let server: TestQueueServer;
  beforeAll(async () => {
    server = await startQueueServer(kind);
    return () => server.close();
  }, 240_000);

  test('Ctrl-C and SIGTERM end the run, busy workers and idle ones; nothing is lost and nothing paid twice', async () => {
    const model = await startUnrulyServer({ latencyMs: [300, 600] });
    onTestFinished(() => model.close());
    const folder = temporary(experimentFolder(200, target(model.url)));
    const idle = temporary(experimentFolder(1, target(model.url)));
    const workers = [1, 2].map(() => startWorker(folder, server.url));
    const run = startRun(folder, server.url, '--quiet');
    await answered(folder, 40);
    const other = startWorker(idle, server.url, '--queue-name', 'other');
    const waiting = startRun(idle, server.url, '--queue-name', 'third');
    await sleep(4000);
    await server.kill();
    await sleep(1000);
    for (const { child } of [workers[0]!, other]) child.kill('SIGTERM');
    for (const { child } of [workers[1]!, run, waiting]) child.kill('SIGINT');
    const ends = [...workers, other, run, waiting].map((program) => within(program, 20_000));
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 130, 130]);

    await server.restart();
    startWorker(folder, server.url);
    expect(await startRun(folder, server.url, '--quiet').ended).toBe(0);
    const { paid, contents } = await model.stats();
    expect([paid, Object.keys(contents).length]).toEqual([200, 200]);
  });
});
