import { describe, expect, it } from 'vitest';

import { quickBackend, server } from './quick-backend.ts';

const CREATE = /^POST \/v2\/prompts$/;

describe('prompts in Langfuse', () => {
  it('are saved once, also when the answer to it is lost', async () => {
    const langfuse = await server({ rules: [{ on: CREATE, times: 1, misdeed: { do: 'drop-after' } }] });
    const backend = await quickBackend(langfuse);
    const saved = await backend.savePrompt({
      name: 'extract',
      type: 'text',
      prompt: 'Find {{x}}',
      labels: ['staging'],
    });
    expect(saved).toMatchObject({ version: 1, prompt: 'Find {{x}}', labels: ['staging'] });
    expect(langfuse.kept.prompts).toHaveLength(1);
  });

  it('are saved again when nothing came of it', async () => {
    const langfuse = await server({ rules: [{ on: CREATE, times: 1, misdeed: { do: 'answer', status: 502 } }] });
    const backend = await quickBackend(langfuse);
    await backend.savePrompt({ name: 'extract', type: 'text', prompt: 'first' });
    expect(langfuse.kept.prompts).toHaveLength(1);
    expect(langfuse.count(CREATE)).toBe(2);
  });

  it('are not saved again when they are refused', async () => {
    const refusal = { do: 'answer', status: 400, body: { message: 'no such variable' } } as const;
    const langfuse = await server({ rules: [{ on: CREATE, times: 9, misdeed: refusal }] });
    const backend = await quickBackend(langfuse);
    await expect(backend.savePrompt({ name: 'extract', type: 'text', prompt: 'x' })).rejects.toThrow(
      'cannot save the prompt "extract"',
    );
    expect(langfuse.count(CREATE)).toBe(1);
  });

  it('are not sent with the label that Langfuse keeps for itself', async () => {
    const langfuse = await server();
    const backend = await quickBackend(langfuse);
    await backend.savePrompt({ name: 'extract', type: 'text', prompt: 'x', labels: ['latest', 'production'] });
    expect(langfuse.kept.prompts[0]).toMatchObject({ labels: ['production'] });
  });

  it('are asked for anew each time: a label that has moved is seen', async () => {
    const langfuse = await server();
    const backend = await quickBackend(langfuse);
    langfuse.kept.prompts.push(version(1, ['production']));
    expect(await backend.prompt('extract')).toMatchObject({ version: 1 });
    langfuse.kept.prompts.splice(0, 1, version(1, []), version(2, ['production']));
    expect(await backend.prompt('extract')).toMatchObject({ version: 2 });
    expect(langfuse.requests.at(-1)!.query.get('label')).toBe('production');
  });
});

function version(number: number, labels: readonly string[]) {
  return { name: 'extract', version: number, type: 'text', prompt: 'x', config: {}, labels, tags: [] };
}
