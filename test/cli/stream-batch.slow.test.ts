import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';

import { type BatchServer, type BatchServerOptions, startBatchServer } from '../experiment/batch/batch-server.ts';
import { chance } from '../experiment/unruly-answer.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';
import { stream, writeTraces } from './stream-files.ts';

const CASES = 3;

/** Both questions of the middleware, answered by what is asked. */
function answer(body: unknown): string {
  const text = JSON.stringify(body);
  const finding = `Finding ${Math.floor(chance(text) * 1000)}`;
  return JSON.stringify({
    rationale: 'It is.',
    stream_state: 'SAME_TOPIC_CONTINUING',
    is_relevant: true,
    is_novel: true,
    is_complete: chance(text) < 0.7,
    status_action: finding,
    key_findings: finding,
    differential_rationale: '',
    uncertainty_confidence: '',
    recommendation_next_step: '',
    agent_contributions: '',
  });
}

async function workplace(options: BatchServerOptions = {}): Promise<{ cwd: string; server: BatchServer }> {
  const server = await startBatchServer({ answer, ...options });
  onTestFinished(() => server.close());
  const cwd = temporaryFolder();
  writeTraces(cwd, CASES, 2);
  return { cwd, server };
}

function replay(cwd: string, server: BatchServer, flags: string): Promise<Finished> {
  const call = `replay --traces traces --variants V0,V2 --model openai-compatible/x --base-url ${server.url}/v1 ${flags}`;
  return stream(cwd, call, { OPENAI_API_KEY: 'sk-0123456789' });
}

/** The records of all logs, without the time that calls took. */
function logs(folder: string): Record<string, unknown[]> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const lines = gunzipSync(readFileSync(join(folder, name)))
        .toString('utf8')
        .trim()
        .split('\n');
      return [name, lines.map((line) => ({ ...(JSON.parse(line) as object), latency_ms: null }))];
    }),
  );
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, times) => all + times, 0);

describe('assay stream replay --batch', () => {
  it('puts each round of calls of all cases into a batch, and writes the same logs', async () => {
    const { cwd, server } = await workplace();
    const batched = await replay(cwd, server, '--out batched --batch --batch-poll 20ms');
    expect(batched.code).toBe(0);
    expect(batched.stderr).toContain('Note: 6 requests submitted as batch_1.\n');
    const { batched: paid, single, batches } = server.stats();
    expect(single).toEqual({});
    expect(batches).toBeLessThan(sum(paid) / 2);
    expect((await replay(cwd, server, '--out plain')).code).toBe(0);
    expect(sum(server.stats().single)).toBe(sum(paid));
    expect(Object.keys(logs(join(cwd, 'plain')))).toHaveLength(2 * CASES);
    expect(logs(join(cwd, 'batched'))).toEqual(logs(join(cwd, 'plain')));
    const text = (out: string): string =>
      gunzipSync(readFileSync(join(cwd, out, 'V0/case-000.run.jsonl.gz'))).toString('utf8');
    expect(text('plain')).toContain('"latency_ms":');
    expect(text('batched')).not.toContain('"latency_ms":');
    // Finished cases are kept.
    expect((await replay(cwd, server, '--out batched --batch --batch-poll 20ms')).code).toBe(0);
    expect(server.stats().batches).toBe(batches);
  });

  it('asks nothing twice for a case that is replayed from the start after a kill', async () => {
    const { cwd, server } = await workplace();
    expect((await replay(cwd, server, '--out first --batch --batch-poll 20ms')).code).toBe(0);
    const paid = server.stats();
    // What a kill before the first log leaves: the batches, and no settled case.
    mkdirSync(join(cwd, 'second'));
    const known = readFileSync(join(cwd, 'first/batches.jsonl'), 'utf8').split('\n');
    writeFileSync(join(cwd, 'second/batches.jsonl'), known.filter((line) => !line.includes('"settled"')).join('\n'));
    expect((await replay(cwd, server, '--out second --batch --batch-poll 20ms')).code).toBe(0);
    expect(server.stats()).toMatchObject({ batched: paid.batched, single: {}, batches: paid.batches });
    expect(logs(join(cwd, 'second'))).toEqual(logs(join(cwd, 'first')));
  });

  it('is for models of providers', async () => {
    const cwd = temporaryFolder();
    writeTraces(cwd, 1);
    const { code, stderr } = await stream(cwd, 'replay --traces traces --model heuristic --out runs --batch');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--batch is for PROVIDER/NAME, not for --model heuristic'),
    ]);
  });
});

it('assay stream run --batch measures what the batches answered', async () => {
  const { cwd, server } = await workplace();
  const call = `run --traces traces --variants V0 --model openai-compatible/x --base-url ${server.url}/v1 --out all --batch --batch-poll 20ms --bootstrap-samples 50`;
  const done = await stream(cwd, call, { OPENAI_API_KEY: 'sk-0123456789' });
  expect(done.code).toBe(0);
  expect(server.stats().single).toEqual({});
  expect(readdirSync(join(cwd, 'all/measures')).length).toBeGreaterThan(0);
});
