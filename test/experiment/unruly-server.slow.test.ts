import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { adaptiveLimit } from '../../src/experiment/limits/adaptive-limit.ts';
import { callWithLimits, type CallPolicy, USUAL_POLICY } from '../../src/experiment/limits/call-with-limits.ts';
import { ask, throughAll } from './limits/ask.ts';
import { startUnrulyServer, type UnrulyOptions, type UnrulyServer, unrulyStats } from './unruly-server.ts';

const NEVER = new AbortController().signal;
const QUICK: CallPolicy = { ...USUAL_POLICY, backoffMs: 1 };

let server: UnrulyServer | null = null;
let child: ChildProcess | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
  child?.kill();
  child = null;
});

async function started(options: UnrulyOptions): Promise<UnrulyServer> {
  server = await startUnrulyServer(options);
  return server;
}

async function post(url: string, content: string, more: Record<string, unknown> = {}): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-1234567890' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more }),
  });
}

async function contentAt(url: string, content: string, more: Record<string, unknown> = {}): Promise<string> {
  const { choices } = (await (await post(url, content, more)).json()) as {
    choices: { message: { content: string } }[];
  };
  return choices[0]!.message.content;
}

const SCHEMA = {
  type: 'object',
  required: ['label', 'count', 'parts'],
  properties: {
    label: { enum: ['x', 'y'] },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    parts: { type: 'array', minItems: 1, items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
};

describe('the unruly server', () => {
  it('answers by the question alone, as its schema has it', async () => {
    const { url } = await started({});
    const format = { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } } };
    const [first, again, other] = await Promise.all([
      contentAt(url, '[item i1] what?', format),
      contentAt(url, '[item i1] what?', format),
      contentAt(url, '[item i2] what?', format),
    ]);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    const { label, count, parts } = JSON.parse(first) as { label: string; count: number; parts: unknown[] };
    expect(['x', 'y']).toContain(label);
    expect([1, 2, 3, 4, 5]).toContain(count);
    expect(parts.length).toBeGreaterThanOrEqual(1);
  });

  it('answers what it is given for an item', async () => {
    const { url } = await started({ answers: { i1: { entities: [] } } });
    expect(await contentAt(url, 'now [item i1]')).toBe('{"entities":[]}');
  });

  it.each([
    ['rate-seconds', 429, { 'retry-after': '1' }],
    ['rate-ms', 429, { 'retry-after-ms': '700' }],
    ['rate-silent', 429, {}],
    ['server-error', 500, {}],
    ['unavailable', 503, {}],
  ] as const)('has %s', async (passing, status, headers) => {
    const { url, stats } = await started({ passing: { [passing]: 1 }, mostPassing: 1, retryAfterMs: 700 });
    const response = await post(url, '[item i]');
    const said = Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('retry')));
    expect([response.status, said]).toEqual([status, headers]);
    expect((await post(url, '[item i]')).status).toBe(200);
    expect(await stats()).toMatchObject({ calls: 2, paid: 1, outcomes: { [passing]: 1, answered: 1 } });
  });

  it('drops connections before the answer and in the middle of it, which is paid for in part', async () => {
    const before = await started({ passing: { dropped: 1 }, mostPassing: 1 });
    await expect(post(before.url, '[item i]')).rejects.toThrow('fetch failed');
    expect(await before.stats()).toMatchObject({ paid: 0, paidInPart: 0, outcomes: { dropped: 1 } });
    await before.close();
    const { url, stats } = await started({ passing: { cut: 1 }, mostPassing: 1 });
    const response = await post(url, '[item i]');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(await stats()).toMatchObject({ paid: 1, paidInPart: 1, outcomes: { cut: 1 } });
  });

  it('gives answers that are of no use, always the same to the same question', async () => {
    const kinds = ['no-json', 'no-json-content', 'schema', 'length'] as const;
    for (const kind of kinds) {
      const own = await startUnrulyServer({ lasting: { [kind]: 1 } });
      try {
        const [first, again] = [await post(own.url, '[item i]'), await post(own.url, '[item i]')];
        const text = await first.text();
        expect(first.status).toBe(200);
        expect(await again.text()).toBe(text);
        expect(text.startsWith('{')).toBe(kind !== 'no-json');
        expect(text.includes('"finish_reason":"length"')).toBe(kind === 'length');
        expect(await own.stats()).toMatchObject({ paid: 2, outcomes: { [kind]: 2 } });
      } finally {
        await own.close();
      }
    }
  });

  it('knows when a caller went away', async () => {
    const { url, stats } = await started({ lasting: { hang: 1 }, latencyMs: [5000, 5000], passing: { dropped: 1 } });
    await expect(ask(url, '[item slow]', AbortSignal.timeout(30))).rejects.toThrow('TimeoutError');
    await expect.poll(async () => (await stats()).outcomes).toEqual({ left: 1 });
    await server!.close();
    const silent = await started({ lasting: { hang: 1 } });
    await expect(ask(silent.url, '[item hung]', AbortSignal.timeout(30))).rejects.toThrow('TimeoutError');
    await expect.poll(async () => (await silent.stats()).outcomes).toEqual({ hang: 1 });
  });

  it('refuses another key, and is careless with it where it is told to be', async () => {
    const { url } = await started({ key: 'sk-0987654321' });
    expect((await post(url, 'x')).status).toBe(401);
    await server!.close();
    const careless = await started({ passing: { 'server-error': 1 }, echoesKey: true });
    expect(await (await post(careless.url, 'x')).text()).toContain('sk-1234567890');
  });

  it('misbehaves the same way whatever the order, and every item is answered in the end', async () => {
    const options: UnrulyOptions = {
      passing: { 'rate-ms': 0.05, 'server-error': 0.1, unavailable: 0.05, dropped: 0.05, cut: 0.05 },
      retryAfterMs: 5,
      seed: 3,
    };
    const items = Array.from({ length: 200 }, (_, at) => `[item i${at}]`);
    const runs: unknown[] = [];
    for (const [list, workers] of [
      [items, 16],
      [items.toReversed(), 3],
    ] as const) {
      const own = await startUnrulyServer(options);
      const limit = adaptiveLimit(workers);
      const answers: [string, string][] = [];
      await throughAll(list, workers, async (item) => {
        const { value } = await callWithLimits((signal) => ask(own.url, item, signal), limit, QUICK, NEVER);
        answers.push([item, value]);
      });
      const { outcomes, contents } = await own.stats();
      await own.close();
      expect(Object.values(contents).every(({ paid, paidInPart }) => paid - paidInPart === 1)).toBe(true);
      runs.push({
        answers: answers.sort(([a], [b]) => (a < b ? -1 : 1)),
        outcomes,
        calls: Object.entries(contents)
          .map(([id, { calls }]) => `${id} ${calls}`)
          .sort(),
      });
    }
    expect(runs[1]).toEqual(runs[0]);
  });

  it('runs as a process of its own, tells its numbers to others and ends with its input', async () => {
    child = spawn(
      process.execPath,
      ['--conditions=assay-source', join(import.meta.dirname, 'unruly-server-main.ts'), '{"mostAtOnce":8}'],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const url = await new Promise<string>((resolve) => {
      child!.stdout!.once('data', (line: Buffer) => resolve((JSON.parse(String(line)) as { url: string }).url));
    });
    await post(url, '[item i7]');
    const { contents } = await unrulyStats(url);
    expect(contents['i7']).toMatchObject({ calls: 1, paid: 1, paidInPart: 0 });
    const ended = new Promise((resolve) => {
      child!.once('exit', resolve);
    });
    child.stdin!.end();
    expect(await ended).toBe(0);
  });
});
