import { expect, onTestFinished, test } from 'vitest';

import queueCommands from '../../src/cli/queue.ts';
import { HEALTH_FLAG, serveWorkerHealth, workerHealth } from '../../src/cli/worker-health.ts';
import type { QueueServer } from '../../src/experiment/queue/queue-server.ts';
import { queueTelemetry } from '../../src/experiment/queue/telemetry.ts';

const NEVER = new Promise<never>(() => undefined);

/** Of a queue server only what a worker's health needs; `isAway`: it never answers. */
function queueServer(state: { isAway: boolean }): QueueServer {
  const answer = <T>(value: T): Promise<T> => (state.isAway ? NEVER : Promise.resolve(value));
  const unused = (): never => {
    throw new Error('nobody asks');
  };
  const jobs = { waiting: 1, active: 0, completed: 0, failed: 0 };
  return {
    place: 'held',
    warnings: [],
    rates: { reserve: unused, correct: unused, pause: unused, pausedFor: unused },
    holds: { hold: unused, release: unused },
    workers: () => answer(['a-x8']),
    status: () => answer({ name: 'assay', jobs, workers: ['a-x8'], oldestSeconds: 3, runs: [] }),
    metrics: () => answer('bullmq 1'),
    add: unused,
    state: unused,
    job: unused,
    withdraw: unused,
    jobs: unused,
    work: unused,
    close: () => Promise.resolve(),
  };
}

test('/healthz answers 200 while the worker takes jobs, and 503 once the queue server was away for too long', async () => {
  const state = { isAway: false };
  const health = workerHealth(queueServer(state), 1000);
  const said: string[] = [];
  const served = await serveWorkerHealth({ host: '127.0.0.1', port: 0 }, health, (text) => said.push(text));
  onTestFinished(() => served.close());
  const status = async (): Promise<number> => (await fetch(`${served.url}/healthz`)).status;
  expect(await status()).toBe(503);
  health.saw({ event: 'started', text: '' });
  expect(await status()).toBe(200);
  health.saw({ event: 'job', text: '' });
  health.saw({ event: 'done', text: '', tasks: 4 });
  const metrics = await (await fetch(`${served.url}/metrics`)).text();
  for (const line of ['assay_worker_queue_up 1', 'assay_worker_jobs_total 1', 'assay_worker_items_total 4', 'bullmq 1'])
    expect(metrics).toContain(`${line}\n`);
  expect(metrics).toContain('assay_queue_oldest_waiting_seconds{queue="assay"} 3\n');

  state.isAway = true;
  // Not yet a second since its last answer.
  expect(await status()).toBe(200);
  expect(await status()).toBe(503);
  expect(await (await fetch(`${served.url}/metrics`)).text()).toContain('assay_worker_queue_up 0\n');
  state.isAway = false;
  expect(await status()).toBe(200);
  health.saw({ event: 'stopping', text: '' });
  expect(await status()).toBe(503);
  expect(said).toEqual([expect.stringContaining('/healthz')]);
});

test('a page of another site cannot read the health of a worker', async () => {
  const served = await serveWorkerHealth(
    { host: '127.0.0.1', port: 0 },
    workerHealth(queueServer({ isAway: false }), 1000),
    () => undefined,
  );
  onTestFinished(() => served.close());
  expect((await fetch(`${served.url}/metrics`, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  expect((await fetch(`${served.url}/other`)).status).toBe(404);
});

test('--health takes a port of this machine, or an address', () => {
  const read = (text: string): unknown => HEALTH_FLAG.read?.(text, '--health');
  expect([read('9090'), read('0.0.0.0:9090'), read('[::]:0')]).toEqual([
    { host: '127.0.0.1', port: 9090 },
    { host: '0.0.0.0', port: 9090 },
    { host: '::', port: 0 },
  ]);
  for (const text of ['', 'x', '99999', ':9090', '9090:']) expect(() => read(text)).toThrow('--health');
});

test('the help names ASSAY_QUEUE and never shows the password that is in it', async () => {
  const { ASSAY_QUEUE: before } = process.env;
  onTestFinished(() => {
    if (before === undefined) delete process.env['ASSAY_QUEUE'];
    else process.env['ASSAY_QUEUE'] = before;
  });
  process.env['ASSAY_QUEUE'] = 'redis://:secret@host';
  const [status] = (await queueCommands(() => undefined, ['status'])).commands;
  const help = status!.helpInformation();
  expect(help).toContain('ASSAY_QUEUE');
  expect(help).not.toContain('secret');
});

test('without the environment of OpenTelemetry, or without its package, jobs have no spans', async () => {
  expect(await queueTelemetry()).toBeUndefined();
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:4318';
  onTestFinished(() => void delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);
  expect(await queueTelemetry()).toBeUndefined();
});
