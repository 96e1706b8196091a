import { inspect } from 'node:util';

import { describe, expect, it } from 'vitest';

import { InputError, UsageError } from '../../../src/data/problems.ts';
import { folderWith } from '../../recipe/recipe-files.ts';
import { completion, dropped, refusal, silent } from '../models/model-server.ts';
import { ask, failure, item, KEY, openHere, openWithModel, sentTo } from './open-here.ts';

const SCHEMA = {
  type: 'object',
  properties: { feelings: { type: 'array', items: { type: 'string' } } },
  required: ['feelings'],
  additionalProperties: false,
};
const SPEC = { use: 'model', prompt: 'Feelings in: {{ text }}', schema: SCHEMA };
const ITEM = item({ text: 'I am glad.' });

describe('a model as a target', () => {
  it('is asked with the filled prompt and held to the schema; its answer is the output', async () => {
    const { target, server } = await openWithModel([completion('{"feelings":["glad"]}')], SPEC);
    const answer = await ask(target, ITEM);
    expect(answer).toMatchObject({
      output: { feelings: ['glad'] },
      usage: { inputTokens: 11, outputTokens: 7, cost: null },
      passages: null,
      raw: '{"feelings":["glad"]}',
    });
    expect(answer.latencyMs).toBeGreaterThanOrEqual(0);
    expect(sentTo(server)).toEqual([{ role: 'user', content: 'Feelings in: I am glad.' }]);
    expect(server.requests[0]!.body).toMatchObject({
      temperature: 0,
      response_format: { json_schema: { schema: SCHEMA, strict: true, name: 'answer' } },
    });
    expect(target).toMatchObject({ kind: 'model', model: 'openai-compatible/test-model', cacheable: true });
  });

  it('is not asked strictly for a schema that leaves fields open', async () => {
    const { target, server } = await openWithModel([completion('{}')], { ...SPEC, schema: { type: 'object' } });
    await ask(target, ITEM);
    expect(server.requests[0]!.body).toMatchObject({ response_format: { json_schema: { strict: false } } });
  });

  it('takes the schema and the prompt from files beside the experiment', async () => {
    const folder = folderWith({
      'answer.schema.json': JSON.stringify(SCHEMA),
      'prompts/feelings.txt': 'File: {{ text }}',
      'prompts/chat.json': JSON.stringify([
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: '{{ text }}' },
      ]),
    });
    const fromFiles = { use: 'model', schema: 'answer.schema.json', prompt: { file: './prompts/feelings.txt' } };
    const { target, server } = await openWithModel([completion('{"feelings":[]}')], fromFiles, { folder });
    await ask(target, ITEM);
    expect(sentTo(server)).toEqual([{ role: 'user', content: 'File: I am glad.' }]);

    const chat = await openWithModel(
      [completion('ok')],
      { use: 'model', prompt: { file: 'prompts/chat.json' } },
      { folder },
    );
    expect((await ask(chat.target, ITEM)).output).toBe('ok');
    expect(sentTo(chat.server)).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'I am glad.' },
    ]);
  });

  it('takes a stored prompt as it was looked up, with all its turns', async () => {
    const prompt = {
      name: 'feelings',
      label: 'staging',
      version: 3,
      body: {
        type: 'chat' as const,
        prompt: [
          { role: 'system', content: 'JSON only.' },
          { role: 'user', content: 'I am sad.' },
          { role: 'assistant', content: '{"feelings":["sad"]}' },
          { role: 'user', content: '{{ text }}' },
        ],
      },
    };
    const spec = { ...SPEC, prompt: { name: 'feelings', label: 'staging' } };
    const { target, server } = await openWithModel([completion('{"feelings":[]}')], spec, { prompt });
    await ask(target, ITEM);
    expect(sentTo(server).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: JSON only.',
      'user: I am sad.',
      'assistant: {"feelings":["sad"]}',
      'user: I am glad.',
    ]);
    expect(target.identity['prompt']).toEqual(prompt.body);
    await expect(openWithModel([], spec)).rejects.toThrow('the prompt feelings has not been looked up');
  });

  it('answers with text where nothing speaks for JSON, and with JSON where something does', async () => {
    const text = await openWithModel([completion('{"a":1}')], { use: 'model', prompt: '{{ text }}' });
    expect((await ask(text.target, ITEM)).output).toBe('{"a":1}');
    expect(text.server.requests[0]!.body).not.toHaveProperty('response_format');

    const json = await openWithModel([completion('{"a":1}')], { use: 'model', prompt: '{{ text }}', output: 'json' });
    expect((await ask(json.target, ITEM)).output).toEqual({ a: 1 });
    expect(json.server.requests[0]!.body).toMatchObject({ response_format: { type: 'json_object' } });
  });

  it('shows how it would be asked, without asking', async () => {
    const { target, server } = await openWithModel([completion('{}')], { ...SPEC, prompt: 'Name the feelings.' });
    expect(await target.preview(ITEM)).toBe(
      `[system]\nName the feelings.\n\n[user]\n{"text":"I am glad."}\n\n[schema of the answer]\n${JSON.stringify(SCHEMA, null, 2)}`,
    );
    expect(server.requests).toHaveLength(0);
  });

  it('names the messages that it is sent', async () => {
    const { target, server } = await openWithModel([completion('{"feelings":[]}')], {
      ...SPEC,
      prompt: 'Name the feelings.',
    });
    const messages = [
      { role: 'system', content: 'Name the feelings.' },
      { role: 'user', content: '{"text":"I am glad."}' },
    ];
    expect(target.request?.(ITEM)).toEqual(messages);
    await ask(target, ITEM);
    expect(server.requests[0]!.body).toMatchObject({ messages });
  });

  it('is told of a variable that is not there: a mistake when one looks, a failure of that item in a run', async () => {
    const { target, server } = await openWithModel([completion('{}')], SPEC);
    const shown = Promise.resolve().then(() => target.preview(item({ txt: 'x' })));
    await expect(shown).rejects.toBeInstanceOf(UsageError);
    const error = await failure(ask(target, item({ txt: 'x' })));
    expect(error).toMatchObject({
      kind: 'request',
      message: 'prompt: there is no {{ text }} for this item; there is input, txt',
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['no JSON', 'I would rather not.', /^the model's answer cannot be used: not JSON/],
    ['a list of numbers', '{"feelings":[1]}', /\/feelings\/0 must be string$/],
    ['more than was asked for', '{"feelings":[],"x":1}', /must NOT have additional properties \(x\)$/],
    ['NaN', '{"feelings":NaN}', /found NaN/],
  ])('that says %s fails, and what it cost is known', async (_, text, message) => {
    const { target, server } = await openWithModel([completion(text)], SPEC);
    const error = await failure(ask(target, ITEM));
    expect(error).toMatchObject({
      kind: 'schema',
      raw: text,
      usage: { inputTokens: 11, outputTokens: 7, cost: null },
    });
    expect(error.message).toMatch(message);
    expect(error.latencyMs).toBeGreaterThanOrEqual(0);
    expect(server.requests).toHaveLength(1);
  });

  it('that is cut off fails and says so, unless what came is whole', async () => {
    const { target } = await openWithModel(
      [completion('{"feelings":["gl', 'length'), completion('{"feelings":[]}', 'length')],
      SPEC,
    );
    expect((await failure(ask(target, ITEM))).message).toMatch(
      /^the model ran out of tokens before it was done, .*cut off/,
    );
    expect((await ask(target, ITEM)).output).toEqual({ feelings: [] });

    const text = await openWithModel([completion('I am', 'length')], { use: 'model', prompt: '{{ text }}' });
    expect(await failure(ask(text.target, ITEM))).toMatchObject({ kind: 'schema', raw: 'I am' });
  });

  it.each([
    [429, 'rate', 2000],
    [503, 'server', 2000],
    [401, 'access', 2000],
    [400, 'request', 2000],
  ])('that is refused with %i fails as %s at once, with the time it asks for', async (status, kind, retryAfterMs) => {
    const { target, server } = await openWithModel([refusal(status, 'no', { 'retry-after': '2' })], SPEC);
    expect(await failure(ask(target, ITEM))).toMatchObject({ kind, retryAfterMs, message: `HTTP ${status}: no` });
    expect(server.requests).toHaveLength(1);
  });

  it('fails as a connection where that breaks, and with what it cost where the answer is withheld', async () => {
    const { target } = await openWithModel([dropped, completion('', 'content_filter')], SPEC);
    expect(await failure(ask(target, ITEM))).toMatchObject({ kind: 'connection', usage: null });
    expect(await failure(ask(target, ITEM))).toMatchObject({
      kind: 'answer',
      usage: { inputTokens: 11, outputTokens: 7, cost: null },
    });
  });

  it('can be given up for one item alone, or grow too slow', async () => {
    const { target } = await openWithModel([silent, completion('{"feelings":[]}'), silent], SPEC, { timeoutMs: 800 });
    const controller = new AbortController();
    const first = failure(ask(target, ITEM, controller.signal));
    setTimeout(() => controller.abort(), 30);
    expect(await first).toMatchObject({ kind: 'aborted' });
    expect((await ask(target, ITEM)).output).toEqual({ feelings: [] });
    expect(await failure(ask(target, ITEM))).toMatchObject({ kind: 'timeout', message: 'no answer within 0.8 s' });
    expect(await failure(ask(target, ITEM, AbortSignal.timeout(20)))).toMatchObject({ kind: 'timeout' });
  });

  it('is identified by all that affects its answers, without the key or a path', async () => {
    const folder = folderWith({ 's.json': JSON.stringify(SCHEMA), 'p.txt': '{{ text }}' });
    const spec = { use: 'model', prompt: { file: 'p.txt' }, schema: 's.json', maxOutputTokens: 50, temperature: null };
    const { target, server } = await openWithModel([], spec, { folder });
    expect(target.identity).toEqual({
      kind: 'model',
      model: 'openai-compatible/test-model',
      server: `${server.url}/v1`,
      temperature: null,
      maxOutputTokens: 50,
      answerFormat: 'schema',
      prompt: { type: 'text', prompt: '{{ text }}' },
      output: 'json',
      schema: SCHEMA,
    });
    expect(target.modelParameters).toEqual({ maxOutputTokens: 50 });
    expect(inspect(target, { depth: 9 })).not.toContain(KEY);
  });

  it('is refused at once where something of it is missing or wrong', async () => {
    const folder = folderWith({ 'list.json': '[]', 'prompt.json': '{"role":"user"}' });
    const open = (spec: Record<string, unknown>): Promise<unknown> =>
      openWithModel([], { use: 'model', ...spec }, { folder });
    await expect(open({ schema: 'answer.json' })).rejects.toThrow('no such file');
    await expect(open({ schema: 'list.json' })).rejects.toThrow('expected a JSON Schema');
    await expect(open({ schema: { type: 'wrong' } })).rejects.toBeInstanceOf(UsageError);
    await expect(open({ prompt: { file: 'prompt.json' } })).rejects.toBeInstanceOf(InputError);
    await expect(open({ prompt: 'Hello {{ }}' })).rejects.toBeInstanceOf(UsageError);
    await expect(openHere({ use: 'model', model: 'gemini-2.5-flash' })).rejects.toThrow('no key for google');
  });
});
