import { afterEach, describe, expect, it } from 'vitest';

import { TargetError } from '../../../src/experiment/targets/target.ts';
import { type ProviderModel, textModel, type TextModelOptions } from '../../../src/experiment/models/text-model.ts';
import { completion, modelServer, type ModelServer, refusal, type Respond, streamed } from './model-server.ts';

const KEY = 'sk-test-0123456789abcdef';
const PROMPT = { system: 'Be short.', user: 'Say yes.', schema: null, schemaName: 'turn' };

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
    answerFormat: 'text',
    ...options,
  });
}

describe('a streamed answer', () => {
  it('comes in the pieces that were sent, each with the time at which it arrived, and with its tokens', async () => {
    const model = await modelAt([streamed(['Fe', 'ver', ' and cough.'], { gapMs: 150 })], { topP: 0.9, seed: 7 });
    const before = Date.now();
    const { text, pieces, promptTokens, completionTokens, finish, attempts } = await model.stream(PROMPT);
    expect({ text, promptTokens, completionTokens, finish, attempts }).toEqual({
      text: 'Fever and cough.',
      promptTokens: 11,
      completionTokens: 7,
      finish: 'stop',
      attempts: 1,
    });
    expect(pieces.map((piece) => piece.text)).toEqual(['Fe', 'ver', ' and cough.']);
    const [first, , last] = pieces.map(({ time }) => time);
    // A busy machine may get two of three pieces at once; clocks are a little apart.
    expect(first!).toBeGreaterThanOrEqual(before - 5);
    expect(last! - first!).toBeGreaterThanOrEqual(100);
    expect(server?.requests[0]?.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      top_p: 0.9,
      seed: 7,
    });
  });

  it('that breaks off is asked for again, and nothing of the first try is in it', async () => {
    const model = await modelAt([streamed(['half'], { breaksOff: true, gapMs: 5 }), streamed(['whole'])]);
    expect(await model.stream(PROMPT)).toMatchObject({ text: 'whole', pieces: [{ text: 'whole' }], attempts: 2 });
  });

  it('that is refused is a TargetError, as one in a whole', async () => {
    const model = await modelAt([refusal(401, `bad key ${KEY}`)]);
    const error: unknown = await model.stream(PROMPT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TargetError);
    expect(error).toMatchObject({ kind: 'access' });
    expect(String(error)).not.toContain(KEY);
  });

  it('has to be one: a server that answers in a whole is told apart', async () => {
    const model = await modelAt([completion('Fever.')]);
    await expect(model.stream(PROMPT)).rejects.toThrow('no server-sent event came: the server has to stream');
  });

  it('holds no key, also where a server spreads it over pieces', async () => {
    const model = await modelAt([streamed(['key ', KEY.slice(0, 9), KEY.slice(9), '!'])]);
    const { pieces, text } = await model.stream(PROMPT);
    expect(text).toBe('key [key]!');
    expect(pieces.map((piece) => piece.text)).toEqual(['key [key]!']);
  });
});
