import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { describe, expect, it, onTestFinished } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { atPointer } from '../../../src/experiment/json-schema.ts';
import { dropped, json, type ModelServer, modelServer, type Respond, silent } from '../models/model-server.ts';
import { ask, failure, item, openHere } from './open-here.ts';

async function serverWith(...responses: readonly Respond[]): Promise<ModelServer> {
  const server = await modelServer(...responses);
  onTestFinished(() => server.close());
  return server;
}

const plain = (text: string): Respond => {
  return (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
};

/** Every character as JSON may write it too. */
const escaped = (text: string): string =>
  [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe('a server as a target', () => {
  it('is sent the item as JSON, and what it answers is the output', async () => {
    const server = await serverWith(json(200, { entities: [] }));
    const target = await openHere({ use: 'http', url: `${server.url}/extract?v=2` });
    const given = { id: 'i1', input: { text: 'Ann' }, metadata: { lang: 'en' }, repeat: 2 };
    const answer = await ask(target, given);
    expect(answer).toMatchObject({ output: { entities: [] }, usage: null, passages: null, raw: null });
    expect(answer.latencyMs).toBeGreaterThanOrEqual(0);
    expect(server.requests[0]).toMatchObject({ path: '/extract?v=2', body: given });
    expect(target.request?.(given)).toEqual(given);
    expect(server.requests[0]!.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(target).toMatchObject({ kind: 'http', model: null, cacheable: false });
  });

  it('is asked as its template says: a variable alone keeps its value, others become text', async () => {
    const server = await serverWith(json(200, {}));
    const target = await openHere({
      use: 'http',
      url: server.url,
      method: 'PUT',
      body: {
        doc: '{{ text }}',
        tags: '{{ tags }}',
        about: 'item {{ id }}, {{ metadata.lang }}',
        n: 3,
        deep: [{ x: '{{ input }}' }],
      },
    });
    await ask(target, { id: 'i1', input: { text: '"{{ id }}"', tags: ['a'] }, metadata: { lang: 'en' }, repeat: 1 });
    expect(server.requests[0]!.body).toEqual({
      doc: '"{{ id }}"',
      tags: ['a'],
      about: 'item i1, en',
      n: 3,
      deep: [{ x: { text: '"{{ id }}"', tags: ['a'] } }],
    });
  });

  it('may be sent mere text, and answer with it', async () => {
    let received = '';
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => (received += text));
      request.on('end', () => response.writeHead(200, { 'content-type': 'text/plain' }).end('Grüße'));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const target = await openHere({ use: 'http', url: `http://localhost:${port}`, body: 'Say: {{ text }}' });
    expect((await ask(target, item({ text: 'schön' }))).output).toBe('Grüße');
    expect(received).toBe('Say: schön');
  });

  it('may hold output, usage and passages wherever pointers lead', async () => {
    const server = await serverWith(
      json(200, {
        result: { text: 'Rest.', 'a/b': [1] },
        meta: { usage: { prompt_tokens: 3, completion_tokens: 4, cost: 0.5 } },
        found: ['first', { id: 7, content: 'second', score: 1.5, source: 'b.txt' }],
      }),
    );
    const spec = { use: 'http', url: server.url, usage: '/meta/usage', passages: '/found' };
    expect(await ask(await openHere({ ...spec, output: '/result/text' }), item('x'))).toMatchObject({
      output: 'Rest.',
      usage: { inputTokens: 3, outputTokens: 4, cost: 0.5 },
      passages: [
        { id: '1', text: 'first', score: null, source: null },
        { id: '7', text: 'second', score: 1.5, source: 'b.txt' },
      ],
    });
    expect((await ask(await openHere({ ...spec, output: '/result/a~1b/0' }), item('x'))).output).toBe(1);
    const lost = await openHere({ ...spec, output: '/result/texts' });
    expect(await failure(ask(lost, item('x')))).toMatchObject({
      kind: 'program',
      message: 'the server: there is nothing at /result/texts in its answer',
    });
  });

  it.each<[string, Respond, string]>([
    ['no JSON', plain('<html>'), 'its answer is not JSON'],
    ['usage that is none', json(200, { output: 1, usage: { cost: -1 } }), 'usage.cost is -1'],
    ['passages without text', json(200, { output: 1, passages: [{}] }), 'passages[0] has no text'],
  ])('that answers with %s fails', async (_, respond, message) => {
    const server = await serverWith(respond);
    const target = await openHere({
      use: 'http',
      url: server.url,
      output: '/output',
      usage: '/usage',
      passages: '/passages',
    });
    const error = await failure(ask(target, item('x')));
    expect(error.kind).toBe('program');
    expect(error.message).toContain(message);
  });

  // Proxies pass on errors with status 200, and a function returns what response.json() gave:
  // github.com/huggingface/transformers/issues/23793
  it.each<[object, string]>([
    [{ error: 'Model dslim/bert-base-NER is currently loading', estimated_time: 20 }, 'is currently loading'],
    [{ error: ['Error in `inputs`: field required'], warnings: ['none'] }, 'Error in `inputs`: field required'],
    [{ error: { message: 'overloaded', type: 'server' } }, 'overloaded'],
    [{ entities: [], error: 'out of memory' }, 'out of memory'],
  ])('that answers with the error %j fails', async (body, message) => {
    const server = await serverWith(json(200, body));
    for (const output of ['', '/entities/0']) {
      const error = await failure(ask(await openHere({ use: 'http', url: server.url, output }), item('x')));
      expect(error.kind).toBe('program');
      expect(error.message).toContain(message);
    }
  });

  it('may have a field for an error beside what was found, or an error rate', async () => {
    for (const body of [{ entities: [{ start: 0 }], error: 'cut off' }, { error: 0.05 }, { error: null }]) {
      const server = await serverWith(json(200, body));
      expect((await ask(await openHere({ use: 'http', url: server.url }), item('x'))).output).toEqual(body);
    }
  });

  it.each([
    [429, 'rate', 3000],
    [503, 'server', 3000],
    [401, 'access', 3000],
    [404, 'request', 3000],
  ])('that says %i fails as %s, with the time it asks for', async (status, kind, retryAfterMs) => {
    const server = await serverWith(json(status, { why: 'no' }, { 'retry-after': '3' }));
    const target = await openHere({ use: 'http', url: server.url });
    expect(await failure(ask(target, item('x')))).toMatchObject({
      kind,
      retryAfterMs,
      message: `HTTP ${status}: {"why":"no"}`,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is not followed to another place', async () => {
    const server = await serverWith((response) => void response.writeHead(302, { location: '/else' }).end());
    const target = await openHere({ use: 'http', url: server.url });
    expect((await failure(ask(target, item('x')))).message).toContain('redirect (302), which is not followed');
    expect(server.requests).toHaveLength(1);
  });

  it('that drops the connection, is not there, sends too much or nothing in time fails as such', async () => {
    const endless: Respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const block = 'x'.repeat(1 << 20);
      const more = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', more);
      more();
    };
    const server = await serverWith(dropped, endless, silent);
    const target = await openHere({ use: 'http', url: server.url }, { timeoutMs: 30_000 });
    expect(await failure(ask(target, item('x')))).toMatchObject({ kind: 'connection' });
    expect(await failure(ask(target, item('x')))).toMatchObject({
      kind: 'answer',
      message: 'the answer is longer than 16777216 bytes and was not read',
    });
    const given = new AbortController();
    setTimeout(() => given.abort(), 30);
    expect(await failure(ask(target, item('x'), given.signal))).toMatchObject({ kind: 'aborted' });
    const hasty = await openHere({ use: 'http', url: server.url }, { timeoutMs: 50 });
    expect(await failure(ask(hasty, item('x')))).toMatchObject({ kind: 'timeout', message: 'no answer within 0.05 s' });
    await server.close();
    expect(await failure(ask(target, item('x')))).toMatchObject({
      kind: 'connection',
      message: 'the server cannot be reached (ECONNREFUSED)',
    });
  });

  it('gets secrets from the environment, and cannot make them appear anywhere', async () => {
    const TOKEN = 'tok-0123456789';
    const echo: Respond = (response, { headers }) =>
      json(200, { said: headers['authorization'], plain: headers['x-plain'] })(response, {
        path: '',
        headers,
        body: {},
      });
    const refuse: Respond = (response, { headers }) =>
      json(403, { said: headers['authorization'] })(response, { path: '', headers, body: {} });
    const server = await serverWith(echo, refuse);
    const target = await openHere(
      {
        use: 'http',
        url: server.url,
        headers: { Authorization: 'Bearer ${MY_TOKEN}', 'X-Plain': 'a $$ b', 'X-Other': '$OTHER' },
      },
      { environment: { MY_TOKEN: TOKEN, OTHER: 'other-secret-value' } },
    );
    expect((await ask(target, item('x'))).output).toEqual({ said: 'Bearer [key]', plain: 'a $ b' });
    expect(server.requests[0]!.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'x-other': 'other-secret-value',
    });
    const error = await failure(ask(target, item('x')));
    expect(error).toMatchObject({ kind: 'request', message: 'HTTP 403: {"said":"Bearer [key]"}' });
    expect(target.request?.(item({ said: `my ${TOKEN}` }))).toMatchObject({ input: { said: 'my [key]' } });
    const everything = inspect([target, target.identity, await target.preview(item('x')), error], {
      depth: 9,
      showHidden: true,
    });
    expect(everything).not.toContain(TOKEN);
    expect(everything).not.toContain('other-secret-value');
  });

  it.each([
    ['as it is', (token: string) => JSON.stringify({ [token]: [token] })],
    ['escaped', (token: string) => `{"${escaped(token)}":["${escaped(token)}"]}`],
  ])('cannot hide a secret with quotes in it: %s', async (_, bodyOf) => {
    const TOKEN = 'super"123\\xyz';
    const echo: Respond = (response, { headers }) => {
      const token = String(headers['authorization']).slice('Bearer '.length);
      response.writeHead(200, { 'content-type': 'application/json' }).end(bodyOf(token));
    };
    const refuse: Respond = (response, { headers }) =>
      void response.writeHead(400).end(bodyOf(String(headers['authorization']).slice('Bearer '.length)));
    const server = await serverWith(echo, refuse);
    const target = await openHere(
      { use: 'http', url: server.url, headers: { authorization: 'Bearer $MY_TOKEN' } },
      { environment: { MY_TOKEN: TOKEN } },
    );
    expect((await ask(target, item('x'))).output).toEqual({ '[key]': ['[key]'] });
    const error = await failure(ask(target, item('x')));
    expect(error).toMatchObject({ message: 'HTTP 400: {"[key]":["[key]"]}', raw: '{"[key]":["[key]"]}' });
  });

  it.each<[string, string, string, string]>([
    ['text/plain; charset=iso-8859-1', 'latin1', 'café', 'café'],
    ['application/json;charset="ISO-8859-1"', 'latin1', '"café"', 'café'],
    ['text/plain; charset=windows-1252', 'latin1', '\x80 5 \x96 caf\xe9', '€ 5 – café'],
    ['text/plain; charset=utf-16le', 'utf16le', 'café', 'café'],
    ['text/plain; charset=UTF-8', 'utf8', 'café', 'café'],
    ['text/plain; charset=us-ascii', 'utf8', 'cafe', 'cafe'],
  ])('may answer in the charset that it declares: %s', async (type, encoding, text, output) => {
    const server = await serverWith(
      (response) => void response.writeHead(200, { 'content-type': type }).end(Buffer.from(text, encoding as 'latin1')),
    );
    expect((await ask(await openHere({ use: 'http', url: server.url }), item('x'))).output).toBe(output);
  });

  it.each([
    ['text/plain', 'its bytes are not UTF-8, and the server declares no other charset'],
    ['application/json', 'its bytes are not UTF-8, and the server declares no other charset'],
    ['text/plain; charset=utf-8', 'its bytes are not "utf-8"'],
    ['text/plain; charset=klingon-1', 'its charset "klingon-1" is not known'],
  ])('whose bytes are not what it declares (%s) fails: no letter is guessed', async (type, why) => {
    const server = await serverWith(
      (response) => void response.writeHead(200, { 'content-type': type }).end(Buffer.from('"café"', 'latin1')),
      (response) => void response.writeHead(500, { 'content-type': type }).end(Buffer.from('"café"', 'latin1')),
    );
    const target = await openHere({ use: 'http', url: server.url });
    expect(await failure(ask(target, item('x')))).toMatchObject({
      kind: 'answer',
      message: `the server's answer cannot be read: ${why}`,
    });
    expect((await failure(ask(target, item('x')))).kind).toBe('server');
  });

  it('is only asked on this machine unless that is said otherwise', async () => {
    for (const url of ['http://127.0.0.1:1/x', 'http://localhost:1', 'http://[::1]:1', 'http://127.9.9.9:1'])
      await openHere({ use: 'http', url });
    for (const url of ['https://example.org/x', 'http://10.0.0.1', 'http://127.0.0.1.example.org', 'http://[::2]'])
      await expect(openHere({ use: 'http', url })).rejects.toThrow('is another machine');
    await openHere({ use: 'http', url: 'https://example.org/x', allow: 'any' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['expected an http or https address', { url: 'file:///etc/passwd' }],
    ['a user or a password', { url: 'http://me:secret@localhost/' }],
    ['the environment variable NOT_SET is not set', { headers: { a: '$NOT_SET' } }],
    ['is not a valid header name', { headers: { 'a b': 'x' } }],
    ['no header may have', { headers: { a: 'x\ny' } }],
    ['is no variable', { body: { a: '{{ }}' } }],
  ])('is refused at once: %s', async (message, spec) => {
    const error: unknown = await openHere({ use: 'http', url: 'http://localhost:1', ...spec }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain('secret');
  });

  it('is identified by what it is sent to and how, not by what a query or a variable holds', async () => {
    const environment = { TOKEN: 'tok-0123456789' };
    const open = async (spec: Record<string, unknown>): Promise<Readonly<Record<string, unknown>>> =>
      (
        await openHere(
          { use: 'http', url: 'http://localhost:9/a?key=abc', headers: { a: '$TOKEN' }, ...spec },
          { environment },
        )
      ).identity;
    const identity = await open({});
    expect(identity).toMatchObject({
      url: 'http://localhost:9/a',
      headers: { a: '$TOKEN' },
      method: 'POST',
      body: null,
    });
    expect(JSON.stringify(identity)).not.toContain('abc');
    expect(await open({ url: 'http://localhost:9/a?key=abd' })).not.toEqual(identity);
    expect(await open({ body: { x: 1 } })).not.toEqual(identity);
  });
});

// The examples of RFC 6901, section 5.
const DOCUMENT = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

it.each([
  ['', DOCUMENT],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
])('the pointer %j leads where the standard says', (pointer, value) => {
  expect(atPointer(DOCUMENT, pointer)).toEqual({ value });
});

it.each(['/bar', '/foo/2', '/foo/-', '/foo/00', '/foo/length', '/foo/0/x', '/toString', '/__proto__'])(
  'the pointer %j leads nowhere',
  (pointer) => {
    expect(atPointer(DOCUMENT, pointer)).toBeNull();
  },
);
