import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lockFolder } from '../../../src/data/folder-lock.ts';
import { langfuseApp } from '../../../src/server/langfuse/langfuse-server.ts';
import { readViewer } from '../../../src/report/html/report-file.ts';
import { viewToken } from '../../../src/server/runs/runs-part.ts';
import { runsPart } from '../../../src/server/runs/runs-part.ts';
import type { Live } from '../../../src/server/runs/live-data.ts';
import { startLiveServer } from '../../../src/server/start-servers.ts';
import { score } from '../../../src/report/score.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { ROOT } from '../../cli/run-assay.ts';
import { buildApp } from '../../review/browser/built-app.ts';

const KEYS = { publicKey: 'pk-lf-0123456789abcdef', secretKey: 'sk-lf-0123456789abcdef0123456789abcdef' };
/** What is younger is answered again. */
const FRESH_MS = 550;
const JOURNAL = join(ROOT, 'examples/journal');

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-live-'));
  if (readViewer() === null) await buildApp();
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
    parts: [runsPart({ store, keys: KEYS, runs: join(folder, 'runs'), token })],
  });
}

function get(path: string, headers: Record<string, string> = {}, of: Hono = app()): Promise<Response> {
  return Promise.resolve(
    of.request(`http://127.0.0.1:4390${path}`, { headers: { host: '127.0.0.1:4390', ...headers } }),
  );
}

async function live(of: Hono = app()): Promise<Live> {
  const body: unknown = await (await get('/live', {}, of)).json();
  return body as Live;
}

/** What `assay run` writes when it begins. */
function recordOf(name: string): object {
  return {
    format: 1,
    assay: '0.1.0',
    name,
    id: 'x',
    given: {},
    dataset: { name: 'towns', backend: 'local', version: '1', items: 3 },
    prompt: null,
    target: '',
    identity: {},
    startedAt: '2026-01-01T00:00:00.000Z',
  };
}

const NO_LINK = {
  experimentDescription: null,
  experimentMetadata: null,
  datasetId: null,
  itemExpectedOutput: null,
  itemMetadata: null,
  rootObservationId: null,
};

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

  it('has what a run is called, when it was scored and at which commit, also if that changes', async () => {
    const place = join(folder, 'runs', 'named');
    cpSync(join(folder, 'runs', 'a'), place, { recursive: true });
    const of = app();
    const named = async () => (await live(of)).runs.find(({ path }) => path === 'named');
    const before = await named();
    expect(before?.about).toMatchObject({ name: null, note: null, tags: {} });
    expect(Date.parse(before?.about?.date ?? '')).toBeLessThanOrEqual(Date.now());
    expect(before?.about?.commit?.hash).toMatch(/^[0-9a-f]{12}$/);
    const about = { name: 'Ünsafe "<b>"', note: 'why', tags: { model: 'm' } };
    writeFileSync(join(place, 'about.json'), JSON.stringify(about));
    await pause(FRESH_MS);
    const after = await named();
    expect(after?.about).toMatchObject(about);
    expect(after?.version).not.toBe(before?.version);
    const html = await (await get('/run/named/', {}, of)).text();
    const meta = /<meta name="assay-about" content="([^"]*)">/.exec(html)?.[1] ?? '';
    expect(meta).not.toContain('<');
    const content = meta.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    expect(JSON.parse(content)).toEqual({ ...about, date: after?.about?.date, commit: after?.about?.commit });
    rmSync(place, { recursive: true });
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

  it('is sent again only where something has changed', async () => {
    const of = app();
    const first = await get('/live', {}, of);
    const tag = first.headers.get('etag')!;
    const again = await get('/live', { 'if-none-match': tag }, of);
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await get('/live', { 'if-none-match': '"other"' }, of)).status).toBe(200);
  });

  it('has a run that is being scored again as it was, and says so', async () => {
    const making = join(folder, 'runs', `a.partial-${process.pid}`);
    mkdirSync(making);
    writeFileSync(join(making, 'cases.jsonl'), '{"case":"D01"}\n{"case":"D02"}\n{"ca');
    const of = app();
    const { runs } = await live(of);
    expect(runs.filter(({ path }) => path === 'a')).toMatchObject([
      { state: 'writing', written: 2, about: { cases: 8 } },
    ]);
    expect(await (await get('/run/a/', {}, of)).text()).toContain('id="assay-head"');
    rmSync(making, { recursive: true });
  });

  it('is empty while there is no such folder, and has what is put there', async () => {
    const runs = join(folder, 'later');
    const of = langfuseApp({ store, keys: KEYS, parts: [runsPart({ store, keys: KEYS, runs, token: null })] });
    expect(await live(of)).toMatchObject({ folder: 'later', exists: false, runs: [] });
    cpSync(join(folder, 'runs', 'a'), runs, { recursive: true });
    await pause(FRESH_MS);
    expect(await live(of)).toMatchObject({ exists: true, runs: [{ path: '.', state: 'ready' }] });
    expect(await (await get('/run/', {}, of)).text()).toContain('id="assay-head"');
  });

  it('follows no link out of the folder', async () => {
    const outside = join(folder, 'outside');
    cpSync(join(folder, 'runs', 'a'), outside, { recursive: true });
    symlinkSync(outside, join(folder, 'runs', 'led-out'));
    cpSync(outside, join(folder, 'runs', 'half'), { recursive: true });
    for (const file of ['report.html', 'cases.jsonl']) {
      rmSync(join(folder, 'runs', 'half', file));
      symlinkSync(join(outside, file), join(folder, 'runs', 'half', file));
    }
    const of = app();
    const { runs, notices } = await live(of);
    expect(runs.map(({ path }) => path)).not.toContain('led-out');
    expect(notices).toEqual(['1 link is not followed: only what is in the folder itself is shown.']);
    expect(runs.find(({ path }) => path === 'half')).toMatchObject({
      state: 'broken',
      why: 'half/report.html is not a plain file: links are not followed',
    });
    for (const path of ['led-out', 'half']) expect((await get(`/run/${path}/`, {}, of)).status).toBe(404);
    for (const name of ['runs/led-out', 'runs/half', 'outside'])
      rmSync(join(folder, name), { recursive: true, force: true });
  });

  it('follows an experiment while it goes', async () => {
    const place = join(folder, 'runs', 'trial');
    mkdirSync(place);
    writeFileSync(join(place, 'experiment.json'), JSON.stringify(recordOf('trial')));
    const lock = await lockFolder(place, '--out');
    const line = (item: string, outcome: string): string => `${JSON.stringify({ item, repeat: 1, outcome })}\n`;
    writeFileSync(join(place, 'log.jsonl'), line('1', 'answered') + line('2', 'failed'));
    const one = async (): Promise<unknown> => (await live()).experiments.find(({ name }) => name === 'trial');
    expect(await one()).toMatchObject({ state: 'running', done: 2, failed: 1, total: 3, dataset: 'towns', runs: [] });
    // The second item again, and half a line of the third.
    appendFileSync(join(place, 'log.jsonl'), `${line('2', 'answered')}{"item":"3","rep`);
    expect(await one()).toMatchObject({ done: 2, failed: 0 });
    lock.release();
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
    expect(Buffer.byteLength(html)).toBe(Number(page.headers.get('content-length')));
    const { version } = (await (await get('/run/deep/er/b/version')).json()) as { version: string };
    expect(html).toContain(`<meta name="assay-version" content="${version}">`);
    // All of the file but for these three.
    const file = readFileSync(join(folder, 'runs', 'deep/er/b', 'report.html'), 'utf8');
    const shown = html
      .replace(" connect-src 'self';", '')
      .replace(`\n<meta name="assay-version" content="${version}">`, '')
      .replace(/\n<meta name="assay-about" content="[^"]*">/, '');
    expect(shown).toBe(file);
    expect((await get('/run/deep/er/b', {})).headers.get('location')).toBe('/run/deep/er/b/');
  });

  it('run no script but our own, whatever somebody has put into the folder', async () => {
    const place = join(folder, 'runs', 'from-elsewhere');
    cpSync(join(folder, 'runs', 'deep/er/b'), place, { recursive: true });
    writeFileSync(join(place, 'report.html'), '<!doctype html><script>alert(1)</script>');
    const page = await get('/run/from-elsewhere/');
    // Made anew from the ledger, by the viewer of this release.
    const html = await page.text();
    expect(html).not.toContain('alert(1)');
    expect(html).toContain('id="assay-head"');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toMatch(
      /^default-src 'none'; connect-src 'self'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    rmSync(place, { recursive: true });
  });

  it('hold no more of the texts than the report in the folder does, also where they are made anew', async () => {
    const place = join(folder, 'runs', 'hidden');
    cpSync(join(folder, 'runs', 'deep/er/b'), place, { recursive: true });
    const file = join(place, 'report.html');
    const report = readFileSync(file, 'utf8').replace('"texts":"full","cases"', '"texts":"none","cases"');
    // As another release would have written it.
    writeFileSync(file, report.replace('sha256-', 'sha256-x'));
    const html = await (await get('/run/hidden/')).text();
    expect(html).toContain('"texts":"none","cases":8');
    rmSync(place, { recursive: true });
  });

  it('say to a person in a page what they say to a program in JSON', async () => {
    const page = await get('/run/nowhere/', { accept: 'text/html,*/*' });
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('<p>There is no such run here, or it cannot be read.</p>');
    expect(await (await get('/run/nowhere/')).json()).toMatchObject({ error: 'NotFound' });
  });

  it('are there as soon as the run is', async () => {
    const of = app();
    await live(of);
    const place = join(folder, 'runs', 'just-now');
    cpSync(join(folder, 'runs', 'deep/er/b'), place, { recursive: true });
    expect((await get('/run/just-now/version', {}, of)).status).toBe(200);
    rmSync(place, { recursive: true });
  });

  it('have another version once the run is scored again', async () => {
    const version = async (): Promise<unknown> => (await get('/run/a/version')).json();
    const before = await version();
    expect(await version()).toEqual(before);
    const measures = join(folder, 'runs', 'a', 'measures.json');
    const scored = readFileSync(measures);
    cpSync(join(folder, 'runs', 'deep/er/b', 'measures.json'), measures);
    expect(await version()).not.toEqual(before);
    // A run with the measures of another is refused.
    writeFileSync(measures, scored);
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
      message:
        'other was not scored as deep/er/b was: the recipe journal/ashwam has other settings: pair.threshold is 0.5 and 0.9',
      error: 'Conflict',
    });
    const forced = await get('/compare/?run=deep/er/b&run=other&force=1');
    expect(forced.status).toBe(200);
    const html = await forced.text();
    expect(html).toContain('"comparison":{"systems":[{"name":"b","folder":"b",');
    expect(html).not.toContain(folder);
  });

  it('asks a person who would compare unlike runs whether they mean it', async () => {
    const of = app();
    const asked = async (): Promise<Response> =>
      await get('/compare/?run=deep/er/b&run=other', { accept: 'text/html' }, of);
    let page = await asked();
    // As the page that says that it is being made does.
    while (page.status === 202) {
      expect(await page.text()).toContain('<h1>Making the comparison</h1>');
      page = await asked();
    }
    expect(page.status).toBe(409);
    const html = await page.text();
    expect(html).toContain('<h1>These runs were not scored alike</h1>');
    expect(html).toContain('pair.threshold is 0.5 and 0.9.');
    expect(html).toContain('href="/compare/?run=deep/er/b&amp;run=other&amp;force=1"');
    expect(html).not.toContain(folder);
  });

  it('is another page once one of the runs is', async () => {
    const { version } = (await (await get('/compare/version?run=deep/er/b&run=other')).json()) as { version: string };
    const own = async (path: string): Promise<string> =>
      ((await (await get(`/run/${path}/version`)).json()) as { version: string }).version;
    expect(version).toBe(`${await own('deep/er/b')}.${await own('other')}`);
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
  const enter = (of: Hono, given: string): Promise<Response> =>
    Promise.resolve(
      of.request('http://127.0.0.1:4390/live/entry', {
        method: 'POST',
        headers: { host: '127.0.0.1:4390', authorization: `Bearer ${given}` },
      }),
    );
  const cookieName = async (of: Hono, given = token): Promise<string> =>
    ((await enter(of, given)).headers.get('set-cookie') ?? '').split('=')[0]!;

  it('sees nothing without the link', async () => {
    const of = app(token);
    const refused = await get('/run/a/version', {}, of);
    // A browser that read a challenge would ask for a name and a password; a program is not led anywhere.
    for (const header of ['www-authenticate', 'location']) expect(refused.headers.get(header)).toBeNull();
    expect(refused.status).toBe(401);
    const name = await cookieName(of);
    for (const cookie of [`${name}=wrong`, `${name}=`, 'assay_view=x', `${name}${token}`])
      expect((await get('/live', { cookie }, of)).status).toBe(401);
  });

  it('is led to the page that takes the token, and from there to where they wanted to go', async () => {
    const led = await get('/compare/?run=a&run=deep%2Fer%2Fb', { accept: 'text/html' }, app(token));
    expect(led.status).toBe(302);
    expect(led.headers.get('location')).toBe('/?to=%2Fcompare%2F%3Frun%3Da%26run%3Ddeep%252Fer%252Fb');
    // What stands at the root has no data in it.
    expect((await get('/', {}, app(token))).status).toBe(200);
  });

  it('is let in by the token of the link, and by no other', async () => {
    const of = app(token);
    expect((await enter(of, 'wrong')).status).toBe(403);
    const entered = await enter(of, token);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^assay_view_[\w-]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await get('/live', { cookie: `other=1; ${cookie.split(';')[0]!}` }, of)).status).toBe(200);
    // Another server on the same machine has a cookie of its own.
    expect(await cookieName(app(viewToken('another')), viewToken('another'))).not.toBe(await cookieName(of));
  });

  it('cannot get in through a page of another origin or under another name', async () => {
    expect((await get('/live', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await get('/live', { host: 'evil.example' })).status).toBe(403);
    const site = { 'sec-fetch-site': 'cross-site' };
    expect((await get('/live', { ...site, 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
    expect((await get('/run/a/', { ...site, 'sec-fetch-mode': 'navigate' })).status).toBe(200);
  });
});

describe('links that Langfuse’s own screens would have', () => {
  const led = async (path: string): Promise<string | null> => (await get(path)).headers.get('location');

  it('lead to the experiments, and to the one that is meant', async () => {
    expect(await led('/project/assay')).toBe('/#part=experiments');
    expect(await led('/project/assay/')).toBe('/#part=experiments');
    expect(await led('/project/assay/traces/unknown')).toBe('/#part=experiments');
    expect(await led('/project/assay/traces/%ff')).toBe('/#part=experiments');
    store.datasets.save({ name: 'towns' });
    const { id, datasetId } = store.runs.save({ datasetName: 'towns', name: 'a & b' });
    expect(await led(`/project/assay/datasets/${datasetId}/runs/${id}`)).toBe('/#part=experiments&search=a+%26+b');
  });

  it('lead to the scored run of an experiment, at the item that a trace is of', async () => {
    const place = join(folder, 'runs', 'scored trial');
    mkdirSync(place);
    writeFileSync(join(place, 'experiment.json'), JSON.stringify(recordOf('linked')));
    cpSync(join(folder, 'runs', 'deep/er/b'), join(place, 'score'), { recursive: true });
    store.datasets.save({ name: 'towns' });
    const { id, datasetId } = store.runs.save({ datasetName: 'towns', name: 'linked' });
    expect(await led(`/project/assay/datasets/${datasetId}/runs/${id}`)).toBe('/run/scored%20trial/score/');
    store.traces.save({ id: 'trace-1' });
    store.traces.saveObservation({
      id: 'observation-1',
      traceId: 'trace-1',
      experiment: { ...NO_LINK, experimentId: 'x', experimentName: 'linked', itemId: 'D 01' },
    });
    expect(await led('/project/assay/traces/trace-1')).toBe('/run/scored%20trial/score/#view=cases&case=D+01');
    rmSync(place, { recursive: true });
  });
});

it('the library starts the same screens, with a link that lets in where others can reach it', async () => {
  const runs = join(folder, 'runs');
  const here = await startLiveServer({ store, keys: KEYS, runs, port: 0, open: true });
  const others = await startLiveServer({ store, keys: KEYS, runs, port: 0, open: false });
  try {
    expect(here.link).toBe(here.url);
    expect((await fetch(`${here.url}/live`)).status).toBe(200);
    expect(others.link).toBe(`${others.url}/#${viewToken(KEYS.secretKey)}`);
    expect((await fetch(`${others.url}/live`)).status).toBe(401);
  } finally {
    await here.close();
    await others.close();
  }
});
