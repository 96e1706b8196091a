import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { batchSlot, inSlot } from '../../../src/experiment/batch/batch-slot.ts';
import { type Batches, type BatchOptions, batchTransport } from '../../../src/experiment/batch/batch-transport.ts';
import { textModel } from '../../../src/experiment/models/text-model.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import {
  type BatchServer,
  type BatchServerOptions,
  type Fate,
  type Protocol,
  startBatchServer,
} from './batch-server.ts';

const KEY = 'key-0123456789abcdef';
const environment = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, GOOGLE_API_KEY: KEY };
const MODELS: Readonly<Record<Protocol, readonly [name: string, path: string]>> = {
  openai: ['openai-compatible/test', '/v1'],
  anthropic: ['anthropic/claude-sonnet-4-5', '/v1'],
  google: ['google/gemini-2.5-flash', '/v1beta'],
};
const PROTOCOLS = Object.keys(MODELS) as Protocol[];

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function serverWith(options: BatchServerOptions = {}): Promise<BatchServer> {
  const server = await startBatchServer(options);
  open.push(server);
  return server;
}

function transport(folder: string, options: Partial<BatchOptions> = {}) {
  const notices: string[] = [];
  const batches = batchTransport({
    folder,
    only: false,
    pollMs: 20,
    quietMs: 30,
    single: { timeoutMs: 5000, atOnce: 4 },
    onNotice: (text) => notices.push(text),
    ...options,
  });
  open.push(batches);
  return { batches, notices };
}

/** Asks about items `i0`, `i1`, … at once; the outcome of each. */
async function askAll(
  server: BatchServer,
  batches: Batches,
  count: number,
  protocol: Protocol = 'openai',
  work = 'item',
) {
  const [name, path] = MODELS[protocol];
  const model = await textModel(name, {
    environment,
    baseUrl: `${server.url}${path}`,
    batches,
    timeoutMs: Infinity,
    retries: 2,
    backoffMs: 1,
  });
  const prompt = { system: '', schema: { type: 'object' }, schemaName: 'answer' };
  return Promise.all(
    Array.from({ length: count }, (_, at) =>
      inSlot(batchSlot(`${work} ${at}`), () => model.complete({ ...prompt, user: `[item i${at}]` })).catch(
        (error: unknown) => error,
      ),
    ),
  );
}

const logOf = (folder: string): string => readFileSync(join(folder, 'batches.jsonl'), 'utf8');
const fates = (...all: readonly Fate[]): Record<string, Fate> =>
  Object.fromEntries(all.map((fate, at) => [`i${at}`, fate]));

describe.each(PROTOCOLS)('calls in a batch of %s', (protocol) => {
  it('are answered as single calls are, without a latency', async () => {
    const server = await serverWith({ workMs: 100 });
    const folder = temporaryFolder();
    const { batches, notices } = transport(folder);
    const answers = await askAll(server, batches, 5, protocol);
    for (const answer of answers)
      expect(answer).toMatchObject({ latencyMs: null, promptTokens: 100, completionTokens: 20, finish: 'stop' });
    expect(server.stats()).toMatchObject({ batches: 1, single: {}, batched: { i0: 1, i1: 1, i2: 1, i3: 1, i4: 1 } });
    expect(notices).toEqual([]);
    expect(logOf(folder)).not.toContain(KEY);
  });

  it('that the batch does not answer become single calls; an invalid one fails as a single call does', async () => {
    const server = await serverWith({
      fates: fates('answered', 'expired', 'canceled', 'server', 'missing', 'invalid'),
    });
    const { batches, notices } = transport(temporaryFolder());
    const answers = await askAll(server, batches, 6, protocol);
    expect(server.stats()).toMatchObject({ batched: { i0: 1 }, single: { i1: 1, i2: 1, i3: 1, i4: 1 } });
    expect(answers[0]).toMatchObject({ latencyMs: null });
    for (const answer of answers.slice(1, 5)) expect(answer).toMatchObject({ latencyMs: expect.any(Number) });
    expect(answers[5]).toMatchObject({ kind: 'request', status: 400, message: expect.stringContaining('HTTP 400') });
    expect(notices).toEqual([expect.stringContaining('4 requests of 6 not answered')]);
  });

  it('that the batch does not answer fail if only batches are wanted', async () => {
    const server = await serverWith({ fates: fates('answered', 'expired') });
    const { batches } = transport(temporaryFolder(), { only: true });
    const [first, second] = await askAll(server, batches, 2, protocol);
    expect(first).toMatchObject({ latencyMs: null });
    expect(second).toMatchObject({ kind: 'server', message: expect.stringContaining('the batch did not answer: ') });
    expect(server.stats().single).toEqual({});
  });

  it.each(['expired', 'cancelled', 'failed'] as const)(
    'that is %s are asked singly if it left them out',
    async (end) => {
      const server = await serverWith({ end });
      const answers = await askAll(server, transport(temporaryFolder()).batches, 8, protocol);
      const { batched, single } = server.stats();
      expect(answers.every((answer) => !(answer instanceof Error))).toBe(true);
      // Each exactly once, by one or the other.
      expect(Object.keys({ ...batched, ...single })).toHaveLength(8);
      expect(Object.keys(batched).length + Object.keys(single).length).toBe(8);
    },
  );

  it('wait while the provider cannot be asked', async () => {
    const server = await serverWith({ pollErrors: 3 });
    const { batches, notices } = transport(temporaryFolder());
    const answers = await askAll(server, batches, 2, protocol);
    expect(answers).toMatchObject([{ latencyMs: null }, { latencyMs: null }]);
    expect(notices).toEqual([expect.stringContaining('HTTP 503')]);
  });

  it('are not submitted again when the answer to the submission is lost', async () => {
    const server = await serverWith({ brokenSubmits: 1 });
    const answers = await askAll(server, transport(temporaryFolder()).batches, 2, protocol);
    expect(answers).toMatchObject([{ latencyMs: null }, { latencyMs: null }]);
    expect(server.stats()).toMatchObject({ batches: 1, batched: { i0: 1, i1: 1 }, single: {} });
  });

  it('ignore results of unknown requests, second results and lines that are none', async () => {
    const server = await serverWith({ isUntidy: true });
    const { batches, notices } = transport(temporaryFolder());
    expect(await askAll(server, batches, 2, protocol)).toMatchObject([{ latencyMs: null }, { latencyMs: null }]);
    expect(notices).toEqual([
      expect.stringContaining('1 result of unknown requests ignored'),
      expect.stringMatching(/(?:line|response) 5 of .* cannot be read/),
    ]);
  });

  it('of a process that ended are found by the next, with or without the id of their batch', async () => {
    const server = await serverWith({ workMs: 1000 });
    const folder = temporaryFolder();
    for (let round = 0; round < 3; round += 1) {
      const stop = new AbortController();
      const { batches } = transport(folder, { stop: stop.signal });
      const asked = askAll(server, batches, 3, protocol);
      await expect.poll(() => server.stats().batches).toBe(1);
      setTimeout(() => stop.abort(), 50);
      await asked;
      await batches.close();
      expect(server.stats().batches).toBe(1);
    }
    const known = logOf(folder);
    const [intent = ''] = known.split('\n');
    expect(known).toContain('"submitted"');
    const cut = temporaryFolder();
    appendFileSync(join(cut, 'batches.jsonl'), `${intent}\n{"event":"submi`);
    const answers = await askAll(server, transport(cut).batches, 3, protocol);
    expect(answers).toMatchObject([{ latencyMs: null }, { latencyMs: null }, { latencyMs: null }]);
    expect(server.stats()).toMatchObject({ batches: 1, batched: { i0: 1, i1: 1, i2: 1 }, single: {} });
    expect(logOf(cut)).toContain('"found":true');
  });

  it('whose batch never reached the provider are submitted', async () => {
    const server = await serverWith();
    const folder = temporaryFolder();
    const other = temporaryFolder();
    await askAll(await serverWith(), transport(other).batches, 2, protocol);
    appendFileSync(join(folder, 'batches.jsonl'), `${logOf(other).split('\n')[0]!}\n`);
    const answers = await askAll(server, transport(folder).batches, 2, protocol);
    expect(answers).toMatchObject([{ latencyMs: null }, { latencyMs: null }]);
    expect(server.stats()).toMatchObject({ batches: 1, batched: { i0: 1, i1: 1 } });
    expect(logOf(folder)).toContain('"lost"');
  });
});

describe('a batch', () => {
  it('of another program that looks alike is told apart by its requests', async () => {
    const server = await serverWith({ workMs: 700 });
    const [folder, other] = [temporaryFolder(), temporaryFolder()];
    const theirs = askAll(server, transport(other).batches, 2, 'anthropic', 'theirs');
    await expect.poll(() => server.stats().batches).toBe(1);
    const stop = new AbortController();
    const own = transport(folder, { stop: stop.signal });
    const asked = askAll(server, own.batches, 2, 'anthropic');
    await expect.poll(() => server.stats().batches).toBe(2);
    stop.abort();
    await asked;
    await own.batches.close();
    const cut = temporaryFolder();
    appendFileSync(join(cut, 'batches.jsonl'), `${logOf(folder).split('\n')[0]!}\n`);
    // Both still run, and the other is the older one.
    const answers = await askAll(server, transport(cut).batches, 2, 'anthropic');
    expect(answers).toMatchObject([{ latencyMs: null }, { latencyMs: null }]);
    await theirs;
    expect(server.stats()).toMatchObject({ batches: 2, single: {} });
    expect(logOf(cut).match(/batch_\d/g)).toEqual(['batch_1', 'batch_2']);
  });

  it('answers the same request once for each piece of work, and again after the work was finished', async () => {
    const server = await serverWith();
    const folder = temporaryFolder();
    const { batches } = transport(folder);
    const [name, path] = MODELS.openai;
    const model = await textModel(name, { environment, baseUrl: `${server.url}${path}`, batches, timeoutMs: Infinity });
    const ask = () => model.complete({ system: '', user: '[item one]', schema: null, schemaName: '' });
    await Promise.all([batches.within('case 1', ask), batches.within('case 2', ask)]);
    expect(server.stats().batched).toEqual({ one: 2 });
    await batches.within('case 1', async () => {
      await ask();
      await ask();
    });
    expect(server.stats().batched).toEqual({ one: 4 });
  });

  it('takes no streamed call', async () => {
    const server = await serverWith();
    const { batches } = transport(temporaryFolder());
    const [name, path] = MODELS.openai;
    const model = await textModel(name, { environment, baseUrl: `${server.url}${path}`, batches, retries: 0 });
    await expect(model.stream({ system: '', user: 'x', schema: null, schemaName: '' })).rejects.toMatchObject({
      kind: 'request',
      message: 'a streamed call cannot be put into a batch',
    });
  });

  it('ends the run if the server has no batches, and the message shows what to do', async () => {
    const server = await serverWith({ hasNoBatches: true });
    const [answer] = await askAll(server, transport(temporaryFolder()).batches, 1);
    expect(answer).toMatchObject({ kind: 'access', message: expect.stringContaining('leave --batch out') });
    expect(server.stats().single).toEqual({});
  });

  it('shows how far it is', async () => {
    const server = await serverWith({ workMs: 600 });
    const { batches } = transport(temporaryFolder());
    expect(batches.progress()).toBeNull();
    const answers = askAll(server, batches, 3);
    await expect
      .poll(() => batches.progress())
      .toMatchObject({ batches: 1, submitted: 3, done: 0, state: 'in_progress' });
    await answers;
    expect(batches.progress()).toBeNull();
  });

  it('gives up waiting when it is stopped, and names no failure', async () => {
    const server = await serverWith({ workMs: 60_000 });
    const stop = new AbortController();
    const { batches } = transport(temporaryFolder(), { stop: stop.signal });
    setTimeout(() => stop.abort(), 200);
    expect(await askAll(server, batches, 2)).toMatchObject([{ kind: 'aborted' }, { kind: 'aborted' }]);
  });

  it('is refused if its log was damaged', async () => {
    const folder = temporaryFolder();
    appendFileSync(join(folder, 'batches.jsonl'), '{"event":"unheard"}\n');
    await expect(
      batchTransport({ folder, only: false, pollMs: null, single: { timeoutMs: 1, atOnce: 1 } }).open(),
    ).rejects.toThrow(/batches\.jsonl.*this line is no event of a batch/s);
  });
});

it('single calls keep to what a server can take', async () => {
  const server = await serverWith({ end: 'failed', singleRefusals: 1 });
  const answers = await askAll(server, transport(temporaryFolder()).batches, 3);
  expect(answers.every((answer) => !(answer instanceof Error))).toBe(true);
  expect(server.stats().single).toEqual({ i0: 1, i1: 1, i2: 1 });
});
