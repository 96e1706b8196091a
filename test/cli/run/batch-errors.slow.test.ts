import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { type BatchServer, type BatchServerOptions, startBatchServer } from '../../experiment/batch/batch-server.ts';
import { assayHere } from '../assay-here.ts';
import { type Finished, temporaryFolder } from '../run-assay.ts';
import { experiment, right, run, writeLines } from './recorded-experiment.ts';

const KEY = 'sk-batch-key-0123456789';

let server: BatchServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** A folder with an experiment of so many items, for a server with batches. */
async function batchFolder(options: BatchServerOptions = {}, items = 4): Promise<string> {
  server = await startBatchServer(options);
  const folder = temporaryFolder();
  writeLines(
    join(folder, 'items.jsonl'),
    Array.from({ length: items }, (_, at) => ({
      id: `i${at}`,
      input: { document_text: `[item i${at}] Ann met Bo.` },
      expected_output: { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] },
    })),
  );
  writeFileSync(
    join(folder, 'e.yaml'),
    `name: one
dataset: items.jsonl
target: { use: graph-extractor, model: openai-compatible/test, baseUrl: '${server.url}/v1' }
prices: { input: 10, output: 100 }
`,
  );
  return folder;
}

function ask(folder: string, ...flags: readonly string[]): Promise<Finished> {
  return assayHere(['run', 'e.yaml', ...flags], {
    cwd: folder,
    env: { OPENAI_API_KEY: KEY, LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' },
  });
}

const BATCH = ['--batch', '--batch-poll', '20ms'];
const written = (folder: string, name: string): string => readFileSync(join(folder, 'runs/one', name), 'utf8');
const summaryOf = (folder: string): unknown => JSON.parse(written(folder, 'summary.json'));

describe('assay run --batch', () => {
  it('reports what came at the price of batches, and what at the full price', async () => {
    const folder = await batchFolder({ fates: { i3: 'expired' } });
    const done = await ask(folder, ...BATCH);
    expect(done.code).toBe(0);
    // 100 tokens in and 20 out: 0.003 by a single call, half of it in a batch.
    const line = 'Batches 3 answers at the batch price: 0.00450; 1 answer by single calls: 0.00300';
    expect(done.stdout.replaceAll(/\s+/g, ' ')).toContain(`Cost 0.00750, in the currency of the prices ${line} `);
    expect(written(folder, 'report.md')).toContain('3 answers at the batch price: 0.00450');
    expect(summaryOf(folder)).toMatchObject({
      cost: { value: expect.closeTo(0.0075, 9) },
      batch: {
        batched: { answers: 3, cost: expect.closeTo(0.0045, 9) },
        single: { answers: 1, cost: 0.003 },
      },
      latency: { n: 1 },
    });
    expect(done.stderr).toContain('batch batch_1 (completed): 1 request of 4 not answered: batch_expired');
    const entries = written(folder, 'log.jsonl')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { begun?: string; item: string; batch?: string; latencyMs: number | null });
    // A kill during the single call leaves the line that counts it.
    expect(entries.flatMap(({ begun = [] }) => begun)).toEqual(['i3']);
    const outcomes = entries.filter(({ begun }) => begun === undefined);
    for (const { item, batch, latencyMs } of outcomes)
      expect([batch, latencyMs === null]).toEqual(item === 'i3' ? [undefined, false] : ['batch_1', true]);
    // Without the half second that requests are collected for.
    expect(outcomes.find(({ item }) => item === 'i3')?.latencyMs).toBeLessThan(400);
  });

  it('takes the share of the price from the prices', async () => {
    const folder = await batchFolder();
    expect((await ask(folder, ...BATCH, '--price', '10,100,0.25')).code).toBe(0);
    expect(summaryOf(folder)).toMatchObject({ cost: { value: 0.003 } });
  });

  it('is a setting of the file too, and says nothing of batches without it', async () => {
    const folder = await batchFolder();
    appendFileSync(join(folder, 'e.yaml'), 'batch: { poll: 20ms }\n');
    expect((await ask(folder)).code).toBe(0);
    expect(server?.stats()).toMatchObject({ batches: 1, single: {} });
    const plain = await batchFolder();
    expect((await ask(plain)).stdout).not.toContain('atch');
    expect(summaryOf(plain)).not.toHaveProperty('batch');
    expect(existsSync(join(plain, 'runs/one/batches.jsonl'))).toBe(false);
  });

  it('lets fail what a batch does not answer, if only batches are wanted, and asks that again in another', async () => {
    const folder = await batchFolder({ fates: { i2: 'expired' } });
    const flags = ['--batch-only', '--batch-poll', '20ms'];
    const done = await ask(folder, ...flags);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('server      1  i2: the batch did not answer: batch_expired');
    await ask(folder, ...flags, '--only-failed');
    expect(server?.stats()).toMatchObject({ batches: 2, single: {} });
  });

  it('asks each repeat, and what failed again, as requests of their own', async () => {
    const folder = await batchFolder({}, 2);
    expect((await ask(folder, ...BATCH, '--repeats', '3')).code).toBe(0);
    expect(server?.stats()).toMatchObject({ batches: 1, batched: { i0: 3, i1: 3 } });
  });

  it('shows what would be batched, and at which price', async () => {
    const folder = await batchFolder();
    const { stdout } = await ask(folder, '--batch', '--dry-run');
    expect(stdout).toMatch(/Batch +by the batch endpoint of the provider, at 0\.5 of the price; /);
    expect(stdout).toMatch(/Limits +10,000 items in batches at once; single calls: 4 retries, 2 min /);
    const dry = JSON.parse((await ask(folder, '--batch-only', '--dry-run', '--json')).stdout) as object;
    expect(dry).toMatchObject({ batch: { only: true, factor: 0.5 }, limits: { timeoutSeconds: 120 } });
    expect(server?.stats()).toMatchObject({ batches: 0, polls: 0 });
    expect(existsSync(join(folder, 'runs'))).toBe(false);
  });

  it('counts what batches cost for the budget, from batch to batch', async () => {
    const folder = await batchFolder({}, 6);
    const done = await ask(folder, ...BATCH, '--concurrency', '2', '--max-cost', '0.003');
    expect(done.code).toBe(3);
    expect(summaryOf(folder)).toMatchObject({ answered: 2, notRun: 4, stopped: { by: 'budget' } });
  });

  it('refuses to ask singly while batches are under way', async () => {
    const folder = await batchFolder();
    await ask(folder, ...BATCH, '--limit', '1');
    appendFileSync(
      join(folder, 'runs/one/batches.jsonl'),
      `${JSON.stringify({ event: 'intent', name: 'assay-x', at: 1, ids: ['x'] })}\n`,
    );
    const { code, stderr } = await ask(folder);
    expect(code).toBe(2);
    expect(stderr).toContain('1 batch of this run is at the provider, and would be paid for beside single calls');
    expect(stderr).toContain('resume with --batch');
    expect(server?.stats().single).toEqual({});
  });

  it('ends with advice if the server has no batch endpoint', async () => {
    const folder = await batchFolder({ hasNoBatches: true });
    const { code, stderr } = await ask(folder, ...BATCH);
    expect(code).toBe(2);
    expect(stderr).toContain('no call can succeed: the server has no batch endpoint, leave --batch out');
    expect(server?.stats().single).toEqual({});
    // Nothing is out, so single calls may take over.
    expect((await ask(folder)).code).toBe(0);
  });

  it.each([
    [['--batch-poll', '5m'], '--batch-poll is for --batch'],
    [['--batch', '--batch-poll', 'soon'], '--batch-poll: "soon" is no duration'],
    [['--batch', '--price', '1,2,3'], '--price 3: expected a number from 0 to 1'],
  ])('refuses %j', async (flags, message) => {
    const folder = await batchFolder();
    const { code, stderr } = await ask(folder, ...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses a target that asks no model', async () => {
    const folder = experiment(['i1'], [right('i1')]);
    const { code, stderr } = await run(folder, 'e.yaml', '--batch');
    expect(code).toBe(2);
    expect(stderr).toContain('a recorded target asks no model of a provider, so there is nothing to put into a batch');
    expect(stderr).toContain('leave --batch and batch: out');
    expect(existsSync(join(folder, 'runs/one'))).toBe(false);
  });
});
