import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { langfuseApp } from '../../../src/server/langfuse/langfuse-server.ts';
import { serveLangfuse } from '../../../src/server/langfuse/langfuse-server.ts';
import { viewToken } from '../../../src/server/runs/runs-part.ts';
import { runsPart } from '../../../src/server/runs/runs-part.ts';
import { reviewApp } from '../../../src/server/review/review-server.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { rawRequest } from '../langfuse/raw-socket.ts';
import { basic, KEYS } from '../langfuse/serving.ts';
import { makeReview, tokenFor } from '../review/serving-review.ts';

type Headers = Readonly<Record<string, string>>;
interface Walked {
  readonly app: Pick<Hono, 'routes' | 'request'>;
  /** Written out here, so that nothing becomes public unnoticed. */
  readonly open: readonly string[];
  /** Who may not pass where the credentials of the app are needed. */
  readonly strangers: Readonly<Record<string, Headers>>;
  /** Who passes everywhere. */
  readonly insider: Headers;
}

const ORIGIN = 'http://127.0.0.1:4390';
const VIEW = viewToken(KEYS.secretKey);
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', 'Delete', 'PURGE'];
const hex = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

/** The same path, written in other ways; some of them lead to the route, the others to none. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  plain: (path) => path,
  'first letter encoded': (path) => path.replace(/[a-z]/i, hex),
  'every letter encoded': (path) => path.replaceAll(/[a-z]/gi, hex),
  'every letter encoded, in capitals': (path) => path.replaceAll(/[a-z]/gi, (letter) => hex(letter).toUpperCase()),
  'encoded twice': (path) => path.replace(/[a-z]/i, (letter) => `%25${hex(letter).slice(1)}`),
  'slashes encoded': (path) => `/${path.slice(1).replaceAll('/', '%2F')}`,
  'slashes doubled': (path) => path.replaceAll('/', '//'),
  capitals: (path) => path.toUpperCase(),
  'slash at the end': (path) => `${path}/`,
  'dot at the end': (path) => `${path}.`,
  'dot as a part': (path) => `/.${path}`,
  'back and forth': (path) => `/api/public/health/../../..${path}`,
  backslashes: (path) => path.replaceAll('/', '\\'),
  'a parameter': (path) => `${path};/api/public/health`,
  'a public path in the query': (path) => `${path}?/api/public/health`,
  'a null byte': (path) => `${path}%00`,
};

let folder: string;
let store: Store;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-routes-'));
  store = openStore(folder);
  makeReview(store, {
    people: [
      { name: 'Anna' },
      { name: 'Adja', role: 'adjudicator' },
      { name: 'Olga', role: 'owner' },
      { name: 'Gone', revokedAt: '2020-01-01T00:00:00.000Z' },
    ],
  });
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const viewer = async (): Promise<string> => {
  const entered = await live(VIEW).request(`${ORIGIN}/live/entry`, { method: 'POST', headers: bearer(VIEW) });
  return (entered.headers.get('set-cookie') ?? '').split(';')[0]!;
};
const live = (token: string | null): Hono =>
  langfuseApp({ store, keys: KEYS, parts: [runsPart({ store, keys: KEYS, runs: folder, token })] });

async function strangers(): Promise<Record<string, Headers>> {
  const cookie = await viewer();
  return {
    'wrong keys': { authorization: basic({ publicKey: 'pk-lf-x', secretKey: 'sk-lf-x' }) },
    'no user and no password': { authorization: basic({ publicKey: '', secretKey: '' }) },
    'a wrong token': bearer('x'.repeat(43)),
    'a wrong cookie': { cookie: cookie.slice(0, -1) },
    'the token of the screens': bearer(VIEW),
    'a reviewer': bearer(tokenFor('Anna')),
    'the owner of a review': bearer(tokenFor('Olga')),
    'somebody whose link was withdrawn': bearer(tokenFor('Gone')),
  };
}

/** The paths of all routes and some that have none, each with a method; those of public routes are left out. */
function targets({ app, open }: Walked, methods: readonly string[]): (readonly [method: string, path: string])[] {
  const routes = app.routes.filter(({ path }) => path !== '/*');
  const isOpen = (method: string, path: string): boolean =>
    open.includes(path) && routes.some((one) => one.path === path && fits(one.method, method));
  const all = [
    ...routes.map(({ method, path }) => [method, path] as const),
    ...[...new Set(routes.map(({ path }) => path)), '/nothing', '/api', '/api/public/nothing', '/live/nothing'].flatMap(
      (path) => methods.map((method) => [method, path] as const),
    ),
  ];
  return all.filter(([method, path]) => !isOpen(method, path));
}

/** The requests that were answered with something else than 401. */
async function passing(
  walked: Walked,
  headers: Headers,
  methods: readonly string[],
  spellings: readonly string[],
): Promise<string[]> {
  const passed: string[] = [];
  for (const [method, path] of targets(walked, methods)) {
    for (const spelling of spellings) {
      const { href, pathname } = new URL(`${ORIGIN}${SPELLINGS[spelling]!(path.replaceAll(/:\w+|\*/g, 'x'))}`);
      const { status } = await walked.app.request(new Request(href, { method, headers }));
      // A URL is tidied on its way: what began as another path may be a public one by now.
      if (status !== 401 && !walked.open.includes(pathname)) passed.push(`${method} ${href} (${spelling}): ${status}`);
    }
  }
  return passed;
}

function fits(registered: string, method: string): boolean {
  return registered === method.toUpperCase() || (registered === 'GET' && method === 'HEAD');
}

async function apps(): Promise<Record<string, Walked>> {
  const everybody = await strangers();
  const cookie = await viewer();
  const { 'a reviewer': _a, 'the owner of a review': _o, ...unsigned } = everybody;
  return {
    'the Langfuse-compatible server': {
      app: langfuseApp({ store, keys: KEYS }),
      open: ['/', '/api/public/health'],
      strangers: { ...everybody, 'a viewer': { cookie } },
      insider: { authorization: basic() },
    },
    'the screens of runs': {
      app: live(VIEW),
      open: ['/', '/home.js', '/home.css', '/favicon.ico', '/live/entry', '/api/public/health'],
      strangers: everybody,
      insider: { authorization: basic(), cookie },
    },
    'the review server': {
      app: reviewApp({ store, log: () => undefined, host: '127.0.0.1', now: clock() }),
      open: [
        '/',
        '/index.html',
        '/review.js',
        '/review.css',
        '/noto-sans-devanagari-400.woff2',
        '/noto-sans-devanagari-700.woff2',
        '/favicon.ico',
      ],
      strangers: { ...unsigned, keys: { authorization: basic() }, 'a viewer': { cookie } },
      insider: bearer(tokenFor('Olga')),
    },
  };
}

/** A minute passes at every look, so that nobody is refused for trying too often. */
function clock(): () => Date {
  let at = Date.parse('2030-01-01');
  return () => new Date((at += 61_000));
}

describe.each(['the Langfuse-compatible server', 'the screens of runs', 'the review server'])('%s', (name) => {
  it('asks for credentials on every path that is not public, in every spelling', async () => {
    const walked = (await apps())[name]!;
    expect(await passing(walked, {}, ['HEAD', 'OPTIONS'], Object.keys(SPELLINGS))).toEqual([]);
  });

  it('asks for them whatever the method is', async () => {
    const walked = (await apps())[name]!;
    expect(await passing(walked, {}, METHODS, ['plain', 'first letter encoded'])).toEqual([]);
  });

  it('does not take wrong ones, nor those of another role', async () => {
    const walked = (await apps())[name]!;
    for (const [who, headers] of Object.entries(walked.strangers))
      expect(await passing(walked, headers, [], ['plain', 'first letter encoded']), who).toEqual([]);
  });

  it('answers those who have them on every route', async () => {
    const { app, open, insider } = (await apps())[name]!;
    const routes = app.routes.filter(({ path }) => path !== '/*' && !open.includes(path));
    expect(routes.length).toBeGreaterThan(5);
    for (const { method, path } of routes) {
      const target = `${ORIGIN}${path.replaceAll(/:\w+|\*/g, 'x')}`;
      expect((await app.request(target, { method, headers: insider })).status, path).not.toBe(401);
    }
  });
});

describe('credentials of another role', () => {
  it('of the API do not open the screens, nor those of the screens the API', async () => {
    const of = live(VIEW);
    const status = async (path: string, headers: Headers): Promise<number> =>
      (await of.request(`${ORIGIN}${path}`, { headers })).status;
    const cookie = await viewer();
    for (const path of ['/live', '/%6cive', '/run/x/', '/compare', '/project/x', '/live/reviews/x'])
      expect([path, await status(path, { authorization: basic() })]).toEqual([path, 401]);
    for (const path of ['/api/public/traces', '/%61pi/public/traces', '/nothing'])
      expect([path, await status(path, { cookie })]).toEqual([path, 401]);
    expect(await status('/live', { cookie })).toBe(200);
    expect(await status('/%6cive', { cookie })).toBe(200);
    expect(await status('/%61pi/public/traces', { authorization: basic() })).toBe(200);
  });

  it.each([
    ['Anna', ['/conflicts', '/conflicts/x', '/overview', '/export.csv', '/export.jsonl']],
    ['Adja', ['/items/x', '/overview', '/export.csv', '/export.jsonl']],
    ['Olga', ['/items/x', '/conflicts', '/conflicts/x']],
  ])('of %s do not open what another role of the review has', async (name, paths) => {
    const app = reviewApp({ store, log: () => undefined, host: '127.0.0.1' });
    for (const path of paths) {
      for (const [spelling, spell] of Object.entries(SPELLINGS)) {
        const target = `${ORIGIN}${spell(`/api/review${path}`)}`;
        const { status } = await app.request(new Request(target, { headers: bearer(tokenFor(name)) }));
        expect([403, 404], `${path} ${spelling}`).toContain(status);
      }
    }
  });
});

describe('where only this machine can reach the screens', () => {
  it('they are open, and all the rest needs keys', async () => {
    const of = live(null);
    const status = async (path: string): Promise<number> => (await of.request(`${ORIGIN}${path}`)).status;
    expect(await status('/live')).toBe(200);
    for (const path of ['/%61pi/public/traces', '/api/public/traces', '/live/nothing', '/nothing', '/run.', '/LIVE'])
      expect([path, await status(path)]).toEqual([path, 401]);
  });
});

it('a request as it comes over the wire gets no further', async () => {
  const server = await serveLangfuse({
    store,
    keys: KEYS,
    port: 0,
    parts: [runsPart({ store, keys: KEYS, runs: folder, token: VIEW })],
  });
  try {
    for (const target of [
      '/%61pi/public/traces',
      '/a%70i/public/traces?x=/api/public/health',
      '/%2561pi/public/traces',
      '//api/public/traces',
      '/api//public/traces',
      '/api/./public/traces',
      '/x/../api/public/traces',
      '/api/public/health/%2e%2e/traces',
      '\\api\\public\\traces',
      '/api/public\\traces',
      '/api/public/traces.',
      '/api/public/traces%20',
      '/api/public/health%2f..%2ftraces',
      '/api/public/health;/traces',
      '/api/public/traces#/api/public/health',
      'http://127.0.0.1/api/public/traces',
      'http://evil.example/%61pi/public/traces',
      '127.0.0.1:80',
      '*',
    ]) {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'TRACE']) {
        const { status } = await rawRequest(server.url, method, target);
        expect([400, 401], `${method} ${target}`).toContain(status);
      }
    }
  } finally {
    await server.close();
  }
});
