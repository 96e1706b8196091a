import { expect, it } from 'vitest';

import { textModel } from '../../../src/experiment/models/text-model.ts';
import { modelServer, refusal } from './model-server.ts';

it('takes a key out of a refusal before the message is cut, wherever the cut falls', async () => {
  const key = 'sk-live-0123456789abcdefghijklmnopqrstuvwxyz';
  for (const before of [430, 470, 490, 500]) {
    const server = await modelServer(refusal(400, `${'x'.repeat(before)}${key} and more`));
    const model = await textModel('openai-compatible/x', {
      baseUrl: `${server.url}/v1`,
      retries: 0,
      environment: { OPENAI_API_KEY: key },
    });
    const prompt = { system: 's', user: 'u', schema: { type: 'object' }, schemaName: 'answer' };
    const error: unknown = await model.complete(prompt).catch((thrown: unknown) => thrown);
    await server.close();
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('sk-live');
  }
});
