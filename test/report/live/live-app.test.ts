import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { langfuseApp } from '../../../src/langfuse/server/app.ts';
import { viewToken } from '../../../src/report/live/entry.ts';
import { serveLive } from '../../../src/report/live/live-app.ts';
import type { Live } from '../../../src/report/live/live-data.ts';
import { score } from '../../../src/report/score.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { ROOT } from '../../cli/run-assay.ts';

const KEYS = { publicKey: 'pk-lf-0123456789abcdef', secretKey: 'sk-lf-0123456789abcdef0123456789abcdef' };
const JOURNAL = join(ROOT, 'examples/journal');

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-live-'));
  const scored = async (predictions: string, out: string, set: readonly string[] = []): Promise<void> => {
    await score(
      'journal/ashwam',
      {
        cases: join(JOURNAL, 'journals.jsonl'),
        gold: join(JOURNAL, 'gold.jsonl'),
        predictions: join(JOURNAL, predictions),
      },
      { out: join(folder, 'runs', out), set: ['interval.resamples=200', ...set] },
    );
  };
  await scored('predictions.jsonl', 'a');
  await scored('predictions-b.jsonl', 'deep/er/b');
  await scored('predictions.jsonl', 'other', ['pair.threshold=0.9']);
  store = openStore(join(folder, 'data'));
});

afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function app(token: string | null = null): Hono {
  return langfuseApp({
    store,
    keys: KEYS,
    more: (more) => serveLive(more, { store, runs: join(folder, 'runs'), token }),
  });
}

function get(path: string, headers: Record<string, string> = {}, of: Hono = app()): Promise<Response> {
  return Promise.resolve(
    of.request(`http://127.0.0.1:4390${path}`, { headers: { host: '127.0.0.1:4390', ...headers } }),
  );
}

async function live(of: Hono = app()): Promise<Live> {
  return liveShape(await (await get('/live', {}, of)).json());
}

describe('the list', () => {
  it('has every run below the folder, with its first figures and what the audit found', async () => {
    const { runs, folder: name, notices } = await live();
    expect(name).toBe('runs');
    expect(notices).toEqual([]);
    expect(runs.map(({ path, state }) => [path, state])).toEqual([
      ['a', 'ready'],
      ['deep/er/b', 'ready'],
      ['other', 'ready'],
    ]);
    const { about } = runs[0]!;
    expect(about).toMatchObject({ task: 'journal', recipe: 'journal/ashwam', cases: 8, failed: 0, unanswered: 1 });
    // 21 hits, 11 missed, 7 spurious: 2 × 21 / (2 × 21 + 18).
    expect(about!.figures).toMatchObject([{ name: 'f1', value: 0.7, n: 39, direction: 'higher' }]);
  });

  it('says what is being written, and what cannot be read', async () => {
    const making = join(folder, 'runs', `new.partial-${process.pid}`);
    mkdirSync(making);
    mkdirSync(join(folder, 'runs', 'bad'));
    mkdirSync(join(folder, 'runs', 'gone.partial-999999999'));
    writeFileSync(join(folder, 'runs', 'bad', 'manifest.json'), '{"format":');
    const of = app();
    const { runs } = await live(of);
    expect(runs.find(({ path }) => path === 'new')).toMatchObject({ state: 'writing', about: null });
    expect(runs.find(({ path }) => path === 'bad')).toMatchObject({ state: 'broken', about: null });
    expect(runs.find(({ path }) => path === 'bad')!.why).toContain('bad/manifest.json: not JSON');
    expect(runs.some(({ path }) => path.startsWith('gone'))).toBe(false);
    expect((await get('/run/bad/', {}, of)).status).toBe(404);
    for (const name of [`new.partial-${process.pid}`, 'bad', 'gone.partial-999999999'])
      rmSync(join(folder, 'runs', name), { recursive: true });
  });

  it('follows an experiment while it goes', async () => {
    const place = join(folder, 'runs', 'trial');
    mkdirSync(place);
    const record = {
      format: 1,
      assay: '0.1.0',
      name: 'trial',
      id: 'x',
      given: {},
      dataset: { name: 'towns', backend: 'local', version: '1', items: 3 },
      prompt: null,
      target: '',
      identity: {},
      startedAt: '2026-01-01T00:00:00.000Z',
    };
    writeFileSync(join(place, 'experiment.json'), JSON.stringify(record));
    writeFileSync(join(place, '.assay-lock'), String(process.pid));
    const line = (item: string, outcome: string): string => `${JSON.stringify({ item, repeat: 1, outcome })}\n`;
    writeFileSync(join(place, 'log.jsonl'), line('1', 'answered') + line('2', 'failed'));
    const one = async (): Promise<unknown> => (await live()).experiments.find(({ name }) => name === 'trial');
    expect(await one()).toMatchObject({ state: 'running', done: 2, failed: 1, total: 3, dataset: 'towns', run: null });
    // The second item again, and half a line of the third.
    appendFileSync(join(place, 'log.jsonl'), `${line('2', 'answered')}{"item":"3","rep`);
    expect(await one()).toMatchObject({ done: 2, failed: 0 });
    rmSync(join(place, '.assay-lock'));
    expect(await one()).toMatchObject({ state: 'stopped' });
    rmSync(place, { recursive: true });
  });
});

describe('the screens of a run', () => {
  it('are the report of its folder, which may ask whether anything has changed', async () => {
    const page = await get('/run/deep/er/b/');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    expect(html).toContain("default-src 'none'; connect-src 'self'; script-src 'sha256-");
    expect(html).toContain('id="assay-head"');
  });

  it('have another version once the run is scored again', async () => {
    const version = async (): Promise<unknown> => (await get('/run/a/version')).json();
    const before = await version();
    expect(await version()).toEqual(before);
    cpSync(join(folder, 'runs', 'deep/er/b', 'measures.json'), join(folder, 'runs', 'a', 'measures.json'));
    expect(await version()).not.toEqual(before);
  });

  it.each(['/run/nowhere/', '/run/..%2F..%2Fetc/', '/run/%ff/', '/run/a%00/', '/run/__proto__/', '/run//'])(
    'are those of the list only: %s',
    async (path) => {
      expect([400, 404]).toContain((await get(path)).status);
    },
  );
});

describe('a comparison', () => {
  it('is made of runs that were scored alike', async () => {
    const page = await get('/compare/?run=deep/er/b&run=other');
    expect(page.status).toBe(409);
    expect(await page.json()).toEqual({
      message: 'other was not scored as deep/er/b was: recipe: pair.object.accept.0.threshold is 0.5 and 0.9',
      error: 'Conflict',
    });
    const forced = await get('/compare/?run=deep/er/b&run=other&force=1');
    expect(forced.status).toBe(200);
    const html = await forced.text();
    expect(html).toContain('"comparison":{"systems":[{"name":"b","folder":"b",');
    expect(html).not.toContain(folder);
  });

  it.each(['', '?run=a', '?run=a&run=a', `?${Array.from({ length: 7 }, (_, at) => `run=${at}`).join('&')}`])(
    'needs two different runs or more: %j',
    async (query) => {
      expect((await get(`/compare/${query}`)).status).toBe(400);
    },
  );
});

describe('whoever is not on this machine', () => {
  const token = viewToken(KEYS.secretKey);

  it('sees nothing without the link', async () => {
    const of = app(token);
    for (const path of ['/live', '/run/a/', '/run/a/version', '/compare/?run=a&run=other', '/live/reviews/x'])
      expect((await get(path, {}, of)).status, path).toBe(401);
    expect((await get('/live', { cookie: 'assay_view=wrong' }, of)).status).toBe(401);
    expect((await get('/live', { cookie: 'assay_view=' }, of)).status).toBe(401);
  });

  it('is let in by the token of the link, and by no other', async () => {
    const of = app(token);
    const enter = (given: string): Promise<Response> =>
      Promise.resolve(
        of.request('http://127.0.0.1:4390/live/entry', {
          method: 'POST',
          headers: { host: '127.0.0.1:4390', authorization: `Bearer ${given}` },
        }),
      );
    expect((await enter('wrong')).status).toBe(401);
    const entered = await enter(token);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^assay_view=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await get('/live', { cookie: cookie.split(';')[0]! }, of)).status).toBe(200);
  });

  it('cannot get in through a page of another origin or under another name', async () => {
    expect((await get('/live', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await get('/live', { host: 'evil.example' })).status).toBe(403);
  });
});
