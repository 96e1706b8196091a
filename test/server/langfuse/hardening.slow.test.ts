import fs from 'node:fs';
import { request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';

import { describe, expect, it, vi } from 'vitest';

import { serveLangfuse } from '../../../src/server/langfuse/langfuse-server.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { parseAnswer, rawBytes, rawRequest } from './raw-socket.ts';
import { basic, KEYS, serving } from './serving.ts';

const DATASETS = '/api/public/v2/datasets';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('keys', () => {
  it('are asked for on every path of the API, also where nothing is', async () => {
    const { url } = await serving();
    for (const path of ['/api', '/api/', '/api/public/projects', '/api/public/nothing', '/api/public/health/x']) {
      const { status, headers } = await rawRequest(url, 'GET', path);
      expect([path, status, headers.get('www-authenticate')]).toEqual([path, 401, 'Basic realm="assay"']);
    }
  });

  it('that are wrong are refused, whatever is wrong with them', async () => {
    const { url, store } = await serving();
    const sent = JSON.stringify({ name: 'stolen' });
    for (const [what, authorization] of [
      ['of nobody', basic({ publicKey: 'pk-lf-x', secretKey: 'sk-lf-x' })],
      ['with a wrong secret', basic({ ...KEYS, secretKey: `${KEYS.secretKey}x` })],
      ['with the beginning of the secret', basic({ ...KEYS, secretKey: KEYS.secretKey.slice(0, -1) })],
      ['without a secret', basic({ ...KEYS, secretKey: '' })],
      ['turned round', basic({ publicKey: KEYS.secretKey, secretKey: KEYS.publicKey })],
      ['under another scheme', basic().replace('Basic', 'Bearer')],
      ['that are not base64', 'Basic ???'],
      ['that are not there', 'Basic'],
      ['in plain text', `${KEYS.publicKey}:${KEYS.secretKey}`],
    ] as const) {
      const headers = { ...JSON_TYPE, authorization, 'content-length': String(sent.length) };
      expect((await rawRequest(url, 'POST', DATASETS, headers, sent)).status, what).toBe(401);
    }
    expect(store.datasets.get('stolen')).toBeNull();
  });

  it('and what else is secret in a request are not logged', async () => {
    const { url, log } = await serving();
    const authorization = basic({ publicKey: 'pk-lf-guess', secretKey: 'sk-lf-guess' });
    await rawRequest(url, 'GET', `${DATASETS}?api_key=hush`, { authorization, cookie: 'c=hush' });
    await rawRequest(url, 'POST', DATASETS, { authorization: basic(), ...JSON_TYPE, 'content-length': '4' }, 'hush');
    expect(log).toEqual([`GET ${DATASETS} 401`, `POST ${DATASETS} 400`]);
  });
});

describe('pages in a browser', () => {
  it('of another origin are refused, also with the right keys', async () => {
    const { url } = await serving();
    for (const origin of [
      'http://evil.example',
      'https://127.0.0.1',
      'http://127.0.0.1:1',
      'null',
      'http://localhost',
    ]) {
      const { status, headers } = await rawRequest(url, 'GET', DATASETS, { authorization: basic(), origin });
      expect(status, origin).toBe(403);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('of its own origin are let in, and get no header that lets others read', async () => {
    const { url } = await serving();
    const answer = await rawRequest(url, 'GET', DATASETS, { authorization: basic(), origin: url });
    expect(answer.status).toBe(200);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const preflight = await rawRequest(url, 'OPTIONS', DATASETS, {
      origin: 'http://evil.example',
      'access-control-request-method': 'POST',
    });
    expect(preflight.status).toBe(403);
  });

  it('of other sites cannot make a browser ask, also without naming an origin', async () => {
    const { url } = await serving();
    for (const site of ['cross-site', 'same-site']) {
      const headers = { authorization: basic(), 'sec-fetch-site': site };
      expect((await rawRequest(url, 'GET', DATASETS, headers)).status).toBe(403);
    }
    expect((await rawRequest(url, 'GET', '/', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
  });

  it('are told by every answer not to guess, keep, frame or load anything', async () => {
    const { url } = await serving();
    for (const [method, path, status] of [
      ['GET', '/', 200],
      ['GET', '/api/public/health', 200],
      ['GET', DATASETS, 401],
      ['GET', '/nothing', 401],
      ['GET', '/../etc/passwd', 400],
    ] as const) {
      const answer = await rawRequest(url, method, path);
      expect(answer.status, path).toBe(status);
      expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(answer.headers.get('cache-control'), path).toBe('no-store');
      expect(answer.headers.get('content-security-policy'), path).toContain("default-src 'none'");
    }
  });
});

describe('the Host header', () => {
  it('of another name is refused: a name of another site may have been pointed here', async () => {
    const { url } = await serving();
    const names = [
      'evil.example',
      'evil.example:80',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      '[::2]',
      'a b',
    ];
    for (const host of names) {
      const { status } = await rawRequest(url, 'GET', DATASETS, { host, authorization: basic() });
      expect([400, 403], host).toContain(status);
    }
  });

  it('may name this machine in any way', async () => {
    const { url } = await serving();
    for (const host of ['localhost', 'localhost:9', 'LOCALHOST', '127.0.0.1', '127.8.9.1:80', '[::1]:4390']) {
      expect((await rawRequest(url, 'GET', DATASETS, { host, authorization: basic() })).status, host).toBe(200);
    }
  });

  it('has to be there', async () => {
    const { url } = await serving();
    const { status } = parseAnswer(
      await rawBytes(url, [`GET ${DATASETS} HTTP/1.0\r\nauthorization: ${basic()}\r\n\r\n`]),
    );
    expect([400, 403]).toContain(status);
  });

  it('may be any address where every address is listened on, and still no foreign name', async () => {
    const { url } = await serving({ host: '0.0.0.0' });
    const status = async (host: string) =>
      (await rawRequest(url, 'GET', DATASETS, { host, authorization: basic() })).status;
    expect(await status('192.168.7.7:80')).toBe(200);
    expect(await status('evil.example')).toBe(403);
  });
});

describe('paths that climb', () => {
  it('are refused, however they are written', async () => {
    const { url } = await serving();
    for (const target of [
      '/../../../../etc/passwd',
      '/api/public/../../../etc/passwd',
      '/api/public/v2/datasets/..',
      '/api/public/v2/datasets/../../../../etc/passwd',
      '/api/public/v2/datasets/%2e%2e',
      '/api/public/v2/datasets/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      '/api/public/v2/datasets/..%2f..%2fetc%2fpasswd',
      '/api/public/v2/datasets/%252e%252e%252fetc%252fpasswd',
      '/api/public/v2/datasets/%25252e%25252e%25252fetc',
      '/api/public/v2/datasets/..%5c..%5cetc',
      '/api/public/v2/datasets/a\\..\\b',
      '/api/public/v2/datasets/a%00.json',
      '/api/public/v2/datasets/a%2500b',
      '/api/public/v2/datasets/%',
      '/api/public/v2/datasets/%c0%ae%c0%ae/x',
      '//etc/passwd/..',
      'http://127.0.0.1/api/public/v2/datasets/../x',
      'http://evil.example/api/public/v2/datasets',
      '*',
    ]) {
      const { status } = await rawRequest(url, 'GET', target, { authorization: basic() });
      expect([400, 404], target).toContain(status);
    }
  });

  it('and all other paths never make the server read a file', async () => {
    const { url, ask } = await serving();
    await ask('POST', DATASETS, { name: 'etc/passwd' });
    const spies = (
      ['readFileSync', 'openSync', 'createReadStream', 'readFile', 'open', 'stat', 'statSync'] as const
    ).map((name) => vi.spyOn(fs, name));
    // So that those who imported them by name are seen too.
    syncBuiltinESMExports();
    try {
      for (const path of ['/etc/passwd', '/api/public/v2/datasets/etc%2Fpasswd', '/%2e%2e/etc/passwd', '/index.html']) {
        await rawRequest(url, 'GET', path, { authorization: basic() });
      }
      expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
    } finally {
      for (const spy of spies) spy.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('do not become names, which could never be asked for again', async () => {
    const { ask } = await serving();
    for (const name of ['..', '.', '../x', 'a/../b', 'a\\..', '%2e%2e', 'a\u0000b', 'a\nb', 'a//b', '/a', 'a/']) {
      expect([name, (await ask('POST', DATASETS, { name })).status]).toEqual([name, 400]);
      expect((await ask('POST', '/api/public/v2/prompts', { name, prompt: 'x' })).status).toBe(400);
    }
    for (const name of ['a..b', '...', 'a/b/c', '100%', '%41', 'a\\b', '日本', '__proto__', 'constructor']) {
      expect([name, (await ask('POST', DATASETS, { name })).status]).toEqual([name, 200]);
      const found = await ask('GET', `${DATASETS}/${encodeURIComponent(name)}`);
      expect([name, (found.body as { name: string }).name]).toEqual([name, name]);
    }
  });
});

describe('bodies', () => {
  const limit = 100_000;
  const big = JSON.stringify({ name: 'x', description: 'y'.repeat(limit) });

  it('over the limit are refused by what they say of their length, before they are read', async () => {
    const { url } = await serving({ bodyLimitBytes: limit });
    const headers = { authorization: basic(), ...JSON_TYPE, 'content-length': String(big.length) };
    const { status, headers: answered, body } = await rawRequest(url, 'POST', DATASETS, headers);
    expect([status, answered.get('connection')]).toEqual([413, 'close']);
    expect(body).toMatch(/^Body exceeded [\d.]+mb limit$/);
  });

  it('over the limit are refused while they come, where they do not say their length', async () => {
    const { url } = await serving({ bodyLimitBytes: limit });
    const headers = `host: ${new URL(url).host}\r\nauthorization: ${basic()}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked`;
    const part = 'y'.repeat(50_000);
    const chunk = `${part.length.toString(16)}\r\n${part}\r\n`;
    // It never comes to its end: the answer cannot have waited for it.
    const answer = await rawBytes(url, [`POST ${DATASETS} HTTP/1.1\r\n${headers}\r\n\r\n`, chunk, chunk, chunk]);
    expect(parseAnswer(answer).status).toBe(413);
  });

  it('over the limit once unpacked are refused', async () => {
    const { url, store } = await serving({ bodyLimitBytes: limit });
    const packed = gzipSync(Buffer.alloc(200 * limit, 'a'));
    expect(packed.length).toBeLessThan(limit);
    const headers = {
      authorization: basic(),
      ...JSON_TYPE,
      'content-encoding': 'gzip',
      'content-length': String(packed.length),
    };
    const before = process.memoryUsage().arrayBuffers;
    expect((await rawRequest(url, 'POST', DATASETS, headers, packed)).status).toBe(413);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * limit);
    expect(store.datasets.get('x')).toBeNull();
  });

  it('within the limit are taken', async () => {
    const { ask } = await serving({ bodyLimitBytes: big.length });
    expect((await ask('POST', DATASETS, big)).status).toBe(200);
    expect((await ask('POST', DATASETS, `${big} `)).status).toBe(413);
  });

  it('that cannot be what they should be are a bad request', async () => {
    const { ask } = await serving();
    for (const [what, body] of [
      ['cut short', '{"name":"x"'],
      ['empty', ''],
      ['of two values', '{} {}'],
      ['of another type', '"x"'],
      ['that is null', 'null'],
      ['nested too deep', `{"name":"x","metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      ['nested too deep in objects', `{"name":"x","metadata":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`],
    ] as const) {
      expect((await ask('POST', DATASETS, body)).status, what).toBe(400);
    }
  });

  it('may be nested 200 levels deep and no deeper; a text of deeper JSON stays a text', async () => {
    const { ask } = await serving();
    const lists = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect((await ask('POST', DATASETS, `{"name":"x","metadata":${lists(199)}}`)).status).toBe(200);
    expect((await ask('POST', DATASETS, `{"name":"x","metadata":${lists(200)}}`)).status).toBe(400);
    expect((await ask('POST', DATASETS, `{"name":"x","metadata":[${'[],'.repeat(5000)}[]]}`)).status).toBe(200);
    const made = async (input: string): Promise<unknown> =>
      ((await ask('POST', '/api/public/dataset-items', { datasetName: 'x', input })).body as { input: unknown }).input;
    expect(await made(lists(201))).toBe(lists(201));
    expect(await made('[42, "a"]')).toEqual([42, 'a']);
  });

  it('that are not UTF-8 are a bad request, and brackets in texts are not depth', async () => {
    const { url, ask } = await serving();
    const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const headers = { authorization: basic(), ...JSON_TYPE, 'content-length': String(bytes.length) };
    expect((await rawRequest(url, 'POST', DATASETS, headers, bytes)).status).toBe(400);
    const brackets = '[{"\\'.repeat(1000);
    const made = await ask('POST', DATASETS, { name: 'x', description: brackets });
    expect((made.body as { description: string }).description).toBe(brackets);
  });

  it('of another type than JSON are refused, as a form of another page would send them', async () => {
    const { url } = await serving();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers = { authorization: basic(), 'content-type': type, 'content-length': '12' };
      expect([type, (await rawRequest(url, 'POST', DATASETS, headers, '{"name":"x"}')).status]).toEqual([type, 415]);
    }
  });

  it('cannot reach a prototype', async () => {
    const { ask } = await serving();
    const sent = '{"name":"x","__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1},"constructor":1}}';
    const { status } = await ask('POST', DATASETS, sent);
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const { body } = await ask('GET', `${DATASETS}/x`);
    expect(JSON.stringify((body as { metadata: unknown }).metadata)).toBe(
      '{"__proto__":{"polluted":1},"constructor":1}',
    );
    expect((await ask('GET', '/api/public/v3/scores?__proto__=1&constructor=2&__proto__=3')).status).toBe(200);
  });
});

describe('slow clients', () => {
  const patience = { headersMs: 300, requestMs: 600, idleMs: 100 };

  it('that do not finish their headers are sent away', async () => {
    const { url } = await serving({ patience });
    const began = performance.now();
    const answer = await rawBytes(url, ['GET /api/public/health HTTP/1.1\r\nhost: localhost\r\nx-slow: ']);
    expect(parseAnswer(answer).status).toBe(408);
    expect(performance.now() - began).toBeLessThan(3000);
  });

  it('that do not finish their body are sent away', async () => {
    const { url } = await serving({ patience });
    const head = `POST ${DATASETS} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${basic()}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`;
    const began = performance.now();
    const answer = await rawBytes(url, [head]);
    expect(parseAnswer(answer).status).toBe(408);
    expect(performance.now() - began).toBeLessThan(4000);
  });
});

describe('what is not there', () => {
  it('is said in JSON, with the word that this is a subset', async () => {
    const { ask } = await serving();
    for (const path of ['/nothing', '/api/public/sessions', '/api/public/models/x', '/API/PUBLIC/HEALTH']) {
      const { status, body, headers } = await ask('GET', path);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toEqual({
        message: 'There is nothing here: this is a Langfuse-compatible subset, and this is not part of it.',
        error: 'NotFound',
      });
    }
    expect((await ask('PUT', DATASETS, {})).status).toBe(405);
  });

  it('at the root is a page without scripts that says what this is', async () => {
    const { url } = await serving();
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toContain('text/html');
    const text = await page.text();
    expect(text).toContain('Langfuse-compatible subset');
    expect(text).not.toContain('<script');
    expect(text).not.toContain(KEYS.secretKey);
  });
});

describe('a store that cannot be read', () => {
  it('is told where the server runs, and to clients as something to try again', async () => {
    const { ask, store, log } = await serving();
    await ask('POST', DATASETS, { name: 'd', metadata: { a: 1 } });
    const other = new DatabaseSync(store.file);
    other.exec("UPDATE datasets SET metadata = '{broken'");
    other.close();
    const { status, body, headers } = await ask('GET', `${DATASETS}/d`);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(body).toEqual({
      message: 'Nothing can be read or saved at the moment; try again.',
      error: 'ServiceUnavailable',
    });
    expect(log[0]).toContain('the store is damaged');
  });
});

describe('closing', () => {
  it('does not wait for connections that are kept open', async () => {
    const store = openStore(temporaryFolder());
    const server = await serveLangfuse({ store, keys: KEYS, port: 0 });
    await new Promise<void>((resolve) => {
      request(`${server.url}/api/public/health`, { headers: { connection: 'keep-alive' } }, (answer) => {
        answer.resume().on('end', resolve);
      }).end();
    });
    // And one that is in the middle of its request.
    const hanging = rawBytes(server.url, ['GET / HTTP/1.1\r\nhost: local']).catch(() => '');
    const began = performance.now();
    await server.close();
    expect(performance.now() - began).toBeLessThan(2500);
    await hanging;
    store.close();
  });
});
