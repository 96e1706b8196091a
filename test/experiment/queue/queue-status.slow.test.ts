import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { assay } from '../../cli/run-assay.ts';
import { startUnrulyServer } from '../unruly-server.ts';
import { answered, experimentFolder, startRun, startWorker, temporary } from './queue-run.ts';
import { QUEUE_SERVERS, startQueueServer, type TestQueueServer } from './queue-server.ts';

interface Status {
  readonly jobs: Readonly<Record<string, number>>;
  readonly workers: readonly string[];
  readonly oldestSeconds: number | null;
  readonly runs: readonly { readonly folder: string; readonly done: number; readonly of: number }[];
}

describe.each(QUEUE_SERVERS)('a queue on %s', (kind) => {
  let server: TestQueueServer;
  beforeAll(async () => {
    server = await startQueueServer(kind);
    return () => server.close();
  }, 240_000);

  test('status, /healthz and /metrics show jobs, workers and the run; another queue of the same server has none of it', async () => {
    const model = await startUnrulyServer({ latencyMs: [300, 500] });
    onTestFinished(() => model.close());
    const target = `{ use: graph-extractor, model: openai-compatible/unruly, baseUrl: '${model.url}' }`;
    const folder = temporary(experimentFolder(100, target));
    const show = (...more: readonly string[]): string =>
      assay(['queue', 'status', ...more], { env: { ASSAY_QUEUE: server.url } }).stdout;
    const status = (...more: readonly string[]): Status => JSON.parse(show('--json', ...more)) as Status;

    const run = startRun(folder, server.url, '--quiet', '--queue-name', 'team');
    // 64 items are handed out while no worker is there, four to a job.
    await expect.poll(() => status('--queue-name', 'team').jobs['waiting'], { timeout: 60_000 }).toBe(16);
    const before = status('--queue-name', 'team');
    expect(before).toMatchObject({ workers: [], runs: [{ folder: 'runs/queued', done: 0, of: 100 }] });
    expect([before.oldestSeconds! > 0, before.oldestSeconds! < 60]).toEqual([true, true]);
    expect(status()).toMatchObject({ jobs: { waiting: 0 }, workers: [], oldestSeconds: null, runs: [] });

    const worker = startWorker(folder, server.url, '--queue-name', 'team', '--health', '0');
    await answered(folder, 40);
    const [, address = ''] = /(http:\/\/[\d.:]+)\/healthz/.exec(worker.text())!;
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toMatch(/^assay_worker_items_total [1-9]/m);
    expect(metrics).toMatch(/^bullmq_job_completed_total\{queue="team"\} [1-9]/m);
    const seen = status('--queue-name', 'team');
    expect(seen.workers).toEqual([expect.stringMatching(/-x4$/)]);
    expect(seen.jobs['active']).toBeGreaterThan(0);
    expect(seen.runs).toEqual([expect.objectContaining({ of: 100 })]);
    expect(show('--queue-name', 'team')).toMatch(/^Run +runs\/queued .* of 100 done, \d+ jobs?$/m);
    expect(show('--queue-name', 'team', '--prometheus')).toMatch(/^assay_queue_workers\{queue="team"\} 1$/m);
    expect(await run.ended).toBe(0);
  });
});
