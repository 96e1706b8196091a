import { afterEach, describe, expect, it } from 'vitest';

import { TargetError } from '../../../src/experiment/targets/target.ts';
import { textModel } from '../../../src/experiment/models/text-model.ts';
import { json, modelServer, type ModelServer } from './model-server.ts';

const KEY = 'key-0123456789abcdef';
const PROMPT = {
  system: 'Be short.',
  user: 'Say yes.',
  schema: {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  },
  schemaName: 'reply',
};

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** What Anthropic's Messages API answers. */
function message(content: readonly unknown[], stopReason: string) {
  return json(200, {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 21, output_tokens: 5 },
  });
}

describe('a model of Anthropic', () => {
  const environment = { ANTHROPIC_API_KEY: KEY };

  it('is asked by the Messages API, with the key in its own header', async () => {
    server = await modelServer(message([{ type: 'text', text: '{"answer":"yes"}' }], 'end_turn'));
    const model = await textModel('anthropic/claude-sonnet-4-5', { environment, baseUrl: `${server.url}/v1` });
    expect(await model.complete(PROMPT)).toMatchObject({
      text: '{"answer":"yes"}',
      promptTokens: 21,
      completionTokens: 5,
      finish: 'stop',
    });
    const { path, headers, body } = server.requests[0]!;
    expect(path).toBe('/v1/messages');
    expect(headers['x-api-key']).toBe(KEY);
    expect(body).toMatchObject({
      model: 'claude-sonnet-4-5',
      temperature: 0,
      system: [{ type: 'text', text: 'Be short.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say yes.' }] }],
    });
  });

  it('that cannot be held to a schema is given a tool to answer by, and the answer is the same text', async () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'json', input: { answer: 'yes' } };
    server = await modelServer(message([call], 'tool_use'));
    const model = await textModel('anthropic/claude-3-haiku-20240307', { environment, baseUrl: `${server.url}/v1` });
    expect((await model.complete(PROMPT)).text).toBe('{"answer":"yes"}');
    expect(server.requests[0]!.body).toMatchObject({ tools: [{ name: 'json' }] });
  });

  it('is found by an address without the version, as ANTHROPIC_BASE_URL mostly has it', async () => {
    server = await modelServer(message([{ type: 'text', text: '{}' }], 'end_turn'));
    const both = { ...environment, ANTHROPIC_BASE_URL: server.url };
    await (await textModel('anthropic/claude-sonnet-4-5', { environment: both })).complete(PROMPT);
    expect(server.requests[0]!.path).toBe('/v1/messages');
  });

  it('that does not do as asked says so, once', async () => {
    server = await modelServer(message([{ type: 'text', text: '{}' }], 'end_turn'));
    const model = await textModel('anthropic/claude-sonnet-4-5', {
      environment,
      baseUrl: `${server.url}/v1`,
      temperature: 1.5,
    });
    await model.complete(PROMPT);
    await model.complete(PROMPT);
    expect([...model.warnings]).toEqual([expect.stringMatching(/^temperature is not supported: 1\.5 exceeds/)]);
  });

  it('that is overloaded is asked again', async () => {
    const overloaded = json(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    server = await modelServer(overloaded, message([{ type: 'text', text: '{}' }], 'end_turn'));
    const model = await textModel('anthropic/claude-sonnet-4-5', {
      environment,
      baseUrl: `${server.url}/v1`,
      backoffMs: 1,
    });
    expect((await model.complete(PROMPT)).attempts).toBe(2);
  });
});

/** What Google's generateContent answers. */
function candidate(text: string) {
  return json(200, {
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 31, candidatesTokenCount: 6, totalTokenCount: 37 },
  });
}

describe('a model of Google', () => {
  const environment = { GOOGLE_API_KEY: KEY };

  it('is asked by generateContent, with the key in its own header', async () => {
    server = await modelServer(candidate('{"answer":"yes"}'));
    const model = await textModel('google/gemini-2.5-flash-lite', { environment, baseUrl: `${server.url}/v1beta` });
    expect(await model.complete(PROMPT)).toMatchObject({
      text: '{"answer":"yes"}',
      promptTokens: 31,
      completionTokens: 6,
      finish: 'stop',
    });
    const { path, headers, body } = server.requests[0]!;
    expect(path).toBe('/v1beta/models/gemini-2.5-flash-lite:generateContent');
    expect(headers['x-goog-api-key']).toBe(KEY);
    expect(body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be short.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Say yes.' }] }],
      generationConfig: { temperature: 0, responseMimeType: 'application/json' },
    });
  });

  it('is waited for as long as the body of its refusal says', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.2s' }];
    const tooMany = json(429, { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details } });
    server = await modelServer(tooMany, candidate('{}'));
    const model = await textModel('google/gemini-2.5-flash', { environment, baseUrl: server.url, backoffMs: 1 });
    const start = performance.now();
    expect((await model.complete(PROMPT)).attempts).toBe(2);
    expect(performance.now() - start).toBeGreaterThanOrEqual(195);
  });

  it('that refuses the key, which it does as 400, ends the run', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    const message400 = `API key not valid: ${KEY}`;
    server = await modelServer(
      json(400, { error: { code: 400, message: message400, status: 'INVALID_ARGUMENT', details } }),
    );
    const model = await textModel('google/gemini-2.5-flash', { environment, baseUrl: server.url });
    const error: unknown = await model.complete(PROMPT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TargetError);
    expect(error).toMatchObject({ kind: 'access', message: 'HTTP 400: API key not valid: [key]' });
  });
});
