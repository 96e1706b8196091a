import { inspect } from 'node:util';

import { afterEach, describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { endsTheRun, TargetError } from '../../../src/experiment/targets/target.ts';
import { type ProviderModel, textModel, type TextModelOptions } from '../../../src/experiment/models/text-model.ts';
import {
  completion,
  dropped,
  json,
  modelServer,
  type ModelServer,
  refusal,
  type Respond,
  silent,
} from './model-server.ts';

const KEY = 'sk-test-0123456789abcdef';
const SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};
const PROMPT = { system: 'Be short.', user: 'Say yes.', schema: SCHEMA, schemaName: 'reply' };

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function modelAt(responses: readonly Respond[], options: TextModelOptions = {}): Promise<ProviderModel> {
  server = await modelServer(...responses);
  return textModel('openai-compatible/test/model', {
    environment: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${server.url}/v1` },
    backoffMs: 1,
    ...options,
  });
}

async function failureOf(model: ProviderModel): Promise<TargetError> {
  const error: unknown = await model.complete(PROMPT).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TargetError);
  return error as TargetError;
}

describe('a model of an OpenAI-compatible server', () => {
  it('is asked with both texts, temperature 0 and the schema, and its text and tokens are handed on', async () => {
    const model = await modelAt([completion('{"answer":"yes"}')]);
    const answer = await model.complete(PROMPT);
    expect(model.id).toBe('openai-compatible/test/model');
    expect(answer).toMatchObject({
      text: '{"answer":"yes"}',
      promptTokens: 11,
      completionTokens: 7,
      attempts: 1,
      finish: 'stop',
    });
    expect(Number.isInteger(answer.latencyMs)).toBe(true);
    expect(server!.requests).toHaveLength(1);
    const { path, headers, body } = server!.requests[0]!;
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(body).toMatchObject({
      model: 'test/model',
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Say yes.' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema: SCHEMA } },
    });
  });

  it('is not held to a schema, nor given a temperature, where that is wished', async () => {
    const model = await modelAt([completion('{}')], { answerFormat: 'json', temperature: null, maxOutputTokens: 9 });
    await model.complete(PROMPT);
    expect(server!.requests[0]!.body).toMatchObject({ response_format: { type: 'json_object' }, max_tokens: 9 });
    expect(server!.requests[0]!.body).not.toHaveProperty('temperature');
  });

  it('gets no key where none is set', async () => {
    server = await modelServer(completion('{}'));
    const model = await textModel('openai-compatible/local', { baseUrl: server.url, environment: {} });
    await model.complete(PROMPT);
    expect(server.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  it('may answer what is no JSON: the text is handed on as it came', async () => {
    const model = await modelAt([completion('I would rather not.')]);
    expect((await model.complete(PROMPT)).text).toBe('I would rather not.');
  });

  it('may be cut off: the rest is handed on, with the reason', async () => {
    const model = await modelAt([completion('{"answer": "ye', 'length'), completion('', 'length')]);
    expect(await model.complete(PROMPT)).toMatchObject({ text: '{"answer": "ye', finish: 'length' });
    expect(await model.complete(PROMPT)).toMatchObject({ text: '', finish: 'length' });
  });

  it('is asked again after 429, not before the time it asks for', async () => {
    const model = await modelAt([refusal(429, 'slow down', { 'retry-after': '1' }), completion('{}')]);
    const start = performance.now();
    expect((await model.complete(PROMPT)).attempts).toBe(2);
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  });

  it('does not count the waiting as its latency', async () => {
    const model = await modelAt([refusal(429, 'slow down', { 'retry-after-ms': '400' }), completion('{}')]);
    expect((await model.complete(PROMPT)).latencyMs).toBeLessThan(350);
  });

  it('is not asked again where it wants more patience than there is', async () => {
    const model = await modelAt([refusal(429, 'come back later', { 'retry-after': '3600' })]);
    const error = await failureOf(model);
    expect(error).toMatchObject({ kind: 'rate', status: 429, retryAfterMs: 3_600_000 });
    expect(error.message).toBe('HTTP 429: come back later (the provider asks to wait 3600 s, more than 60 s)');
    expect(server!.requests).toHaveLength(1);
  });

  it('is asked again after 500 and after a dropped connection', async () => {
    const model = await modelAt([refusal(500, 'oops'), dropped, refusal(503, 'busy'), completion('{"answer":"yes"}')]);
    expect(await model.complete(PROMPT)).toMatchObject({ text: '{"answer":"yes"}', attempts: 4 });
  });

  it('fails after the last attempt, with its number', async () => {
    const model = await modelAt([refusal(500, 'oops')], { retries: 2 });
    expect(await failureOf(model)).toMatchObject({ kind: 'server', message: 'HTTP 500: oops (after 3 attempts)' });
    expect(server!.requests).toHaveLength(3);
  });

  it('fails as a connection where nobody listens', async () => {
    const model = await modelAt([completion('{}')], { retries: 0 });
    await server!.close();
    expect(await failureOf(model)).toMatchObject({
      kind: 'connection',
      message: 'the server cannot be reached (ECONNREFUSED)',
    });
  });

  it('that takes too long is not asked again', async () => {
    const model = await modelAt([silent], { timeoutMs: 50 });
    expect(await failureOf(model)).toMatchObject({ kind: 'timeout', message: 'no answer within 0.05 s' });
    expect(server!.requests).toHaveLength(1);
  });

  it('that begins an answer and stops within it has not answered in time either', async () => {
    const begins: Respond = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices": [');
    };
    const model = await modelAt([begins], { timeoutMs: 50 });
    expect(await failureOf(model)).toMatchObject({ kind: 'timeout' });
  });

  it.each<[string, Respond]>([
    [
      'no JSON',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": ['),
    ],
    ['no completion', json(200, { hello: 'world' })],
    ['a completion without choices', json(200, { id: 'x', choices: [] })],
    ['a page', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>')],
  ])('that sends %s fails at once', async (_, respond) => {
    const model = await modelAt([respond]);
    expect(await failureOf(model)).toMatchObject({ kind: 'answer' });
    expect(server!.requests).toHaveLength(1);
  });

  it.each([
    ['null', null, 'expected object, received null'],
    ['a list', [1], 'expected object, received array'],
    [
      'a completion without a message',
      { id: 'x', choices: [{ index: 0 }] },
      'expected object, received undefined at choices.0.message',
    ],
  ])('that sends %s is refused in one line, not by a page of JSON', async (_, body, fault) => {
    const model = await modelAt([json(200, body)]);
    expect((await failureOf(model)).message).toBe(`the server's answer is not as its protocol has it: ${fault}`);
  });

  it('that withholds its answer fails', async () => {
    const model = await modelAt([completion('', 'content_filter')]);
    expect(await failureOf(model)).toMatchObject({
      message: 'the provider withheld the answer (content filter)',
      usage: { inputTokens: 11, outputTokens: 7 },
    });
  });

  it.each([
    [401, 'access'],
    [402, 'access'],
    [404, 'access'],
    [400, 'request'],
    [403, 'request'],
    [422, 'request'],
  ])('that says %i fails at once, as %s', async (status, kind) => {
    const model = await modelAt([refusal(status, 'no')]);
    const error = await failureOf(model);
    expect(error).toMatchObject({ kind, status, message: `HTTP ${status}: no` });
    expect(endsTheRun(error)).toBe(kind === 'access');
    expect(server!.requests).toHaveLength(1);
  });

  it('with an empty account cannot be waited for', async () => {
    const model = await modelAt([
      json(429, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }),
    ]);
    expect(await failureOf(model)).toMatchObject({ kind: 'access' });
    expect(server!.requests).toHaveLength(1);
  });

  it('that does not take a setting will not take it in any call', async () => {
    const message = "Unsupported value: 'temperature' does not support 0 with this model.";
    const model = await modelAt([json(400, { error: { message, param: 'temperature', code: 'unsupported_value' } })]);
    expect(await failureOf(model)).toMatchObject({ kind: 'access', message: `HTTP 400: ${message}` });
  });

  it('is given up when the signal says so, in a call and between two', async () => {
    const inCall = new AbortController();
    const slow = await modelAt([silent], { signal: inCall.signal });
    setTimeout(() => inCall.abort(), 30);
    const error = await failureOf(slow);
    expect(error.kind).toBe('aborted');
    expect(endsTheRun(error)).toBe(true);
    await server!.close();

    const between = new AbortController();
    const busy = await modelAt([refusal(429, 'wait', { 'retry-after': '30' })], { signal: between.signal });
    setTimeout(() => between.abort(), 50);
    expect(await failureOf(busy)).toMatchObject({ kind: 'aborted' });
  });

  it('is given up for one call alone where that call says so', async () => {
    const model = await modelAt([
      silent,
      completion('{"answer":"yes"}'),
      refusal(429, 'wait', { 'retry-after': '30' }),
    ]);
    const call = new AbortController();
    const first = model.complete(PROMPT, { signal: call.signal });
    setTimeout(() => call.abort(), 30);
    await expect(first).rejects.toMatchObject({ kind: 'aborted' });
    expect((await model.complete(PROMPT)).text).toBe('{"answer":"yes"}');
    await expect(model.complete(PROMPT, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      kind: 'aborted',
    });
  });

  it('is asked with all turns of a conversation, and with no text that is empty', async () => {
    const model = await modelAt([completion('{}')]);
    const messages = [
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Two?' },
    ] as const;
    await model.complete({ ...PROMPT, system: '', user: '', messages });
    expect(server!.requests[0]!.body['messages']).toEqual(messages);
  });

  it('is held to a schema that leaves fields open as far as servers allow that', async () => {
    const model = await modelAt([completion('{}')]);
    await model.complete({ ...PROMPT, strict: false });
    await model.complete({ ...PROMPT, schema: null });
    expect(server!.requests[0]!.body).toMatchObject({
      response_format: { json_schema: { strict: false, schema: SCHEMA } },
    });
    expect(server!.requests[1]!.body).toMatchObject({ response_format: { type: 'json_object' } });
  });

  it('is not followed to another server, which would get the key', async () => {
    const other = await modelServer(completion('{}'));
    const away: Respond = (response) =>
      void response.writeHead(307, { location: `${other.url}/v1/chat/completions` }).end();
    const model = await modelAt([away]);
    expect((await failureOf(model)).message).toMatch(/redirect \(307\), which is not followed/);
    expect(other.requests).toHaveLength(0);
    await other.close();
  });

  it('cannot make its key appear in an answer, an error or what is printed of it', async () => {
    const echo = `${KEY} ${Buffer.from(KEY).toString('base64')}`;
    const model = await modelAt([
      completion(`{"answer":"${echo}"}`),
      refusal(401, `bad key ${echo}`, { 'x-echo': KEY }),
    ]);
    expect((await model.complete(PROMPT)).text).toBe('{"answer":"[key] [key]"}');
    const error = await failureOf(model);
    expect(error.message).toBe('HTTP 401: bad key [key] [key]');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
    expect(inspect(model, { depth: 9 })).not.toContain(KEY);
  });

  it('cannot send control characters or pages of text into an error', async () => {
    const model = await modelAt([refusal(400, `\u001b[2J${'x'.repeat(10_000)}`)]);
    const { message } = await failureOf(model);
    expect(message.startsWith('HTTP 400: \\u001b[2Jxxx')).toBe(true);
    expect(message.length).toBeLessThan(600);
  });
});

describe('textModel', () => {
  const environment = {};

  it('says which variable holds the key that is missing', async () => {
    await expect(textModel('openai/gpt-4o-mini', { environment })).rejects.toThrow(
      'no key for openai: the environment variable OPENAI_API_KEY is not set',
    );
    await expect(textModel('google/gemini-2.5-flash', { environment })).rejects.toThrow(
      'GOOGLE_GENERATIVE_AI_API_KEY or GOOGLE_API_KEY',
    );
    await expect(textModel('anthropic/claude-x', { environment: { ANTHROPIC_API_KEY: '  ' } })).rejects.toThrow(
      'ANTHROPIC_API_KEY is not set',
    );
  });

  it('does not show a key that cannot be one', async () => {
    const error: unknown = await textModel('openai/x', { environment: { OPENAI_API_KEY: 'sk-secret two' } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(inspect(error)).not.toContain('sk-secret');
    expect(inspect(error)).toContain('OPENAI_API_KEY holds characters that no key has');
  });

  it("takes OpenAI's own models to where OPENAI_BASE_URL says, as OpenAI's clients do", async () => {
    server = await modelServer(completion('{}'));
    const model = await textModel('openai/gpt-4o-mini', {
      environment: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${server.url}/v1/` },
    });
    await model.complete(PROMPT);
    expect(server.requests[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'gpt-4o-mini' } });
  });

  it('lists the providers there are, and suggests one', async () => {
    const error: unknown = await textModel('antropic/claude', { environment }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: 'unknown provider "antropic": known are openai, google, anthropic, openai-compatible',
      next: 'did you mean anthropic?',
    });
    await expect(textModel('llama-3', { environment })).rejects.toThrow('unknown provider "llama-3"');
  });

  it.each([
    ['gemini-2.5-flash', 'google/gemini-2.5-flash'],
    ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['gpt-4o-mini', 'openai/gpt-4o-mini'],
    ['chatgpt-4o-latest', 'openai/chatgpt-4o-latest'],
    ['o3-mini', 'openai/o3-mini'],
    ['qwen3:8b', 'openai-compatible/qwen3:8b'],
    ['meta-llama/Llama-3.1-8B', 'openai-compatible/meta-llama/Llama-3.1-8B'],
    ['openai/gpt-4o', 'openai/gpt-4o'],
  ])('knows whose %s is, where a server is known for the rest', async (name, id) => {
    const keys = { OPENAI_API_KEY: KEY, GOOGLE_API_KEY: KEY, ANTHROPIC_API_KEY: KEY };
    const model = await textModel(name, { environment: { ...keys, OPENAI_BASE_URL: 'http://localhost:1/v1' } });
    expect(model.id).toBe(id);
  });

  it('does not send a model to another server for a slip in the name of its provider', async () => {
    const options = { environment: { OPENAI_BASE_URL: 'http://localhost:1/v1' } };
    await expect(textModel('antropic/claude', options)).rejects.toMatchObject({ next: 'did you mean anthropic?' });
    const given = await textModel('llama-3', { environment, baseUrl: 'http://localhost:2/v1' });
    expect(given).toMatchObject({ id: 'openai-compatible/llama-3', baseUrl: 'http://localhost:2/v1' });
  });

  it.each(['openai', 'openai/', 'openai/two words', 'openai/\u001b[2J'])(
    'does not take %j for a model',
    async (name) => {
      await expect(textModel(name, { environment })).rejects.toBeInstanceOf(UsageError);
    },
  );

  it.each([
    ['no address', undefined],
    ['no http or https URL', 'localhost:8080'],
    ['no http or https URL', 'file:///etc/passwd'],
    ['a user, a password, a query', 'http://me:secret@localhost/v1'],
  ])('says %j where the address is %j', async (expected, baseUrl) => {
    const options = { environment, ...(baseUrl === undefined ? {} : { baseUrl }) };
    const error: unknown = await textModel('openai-compatible/x', options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(inspect(error)).toContain(expected);
    expect(inspect(error)).not.toContain('secret');
  });
});
