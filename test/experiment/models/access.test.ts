import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { type Environment, withoutNeedOfKeys } from '../../../src/experiment/models/access.ts';
import { textModel } from '../../../src/experiment/models/text-model.ts';

const KEY = 'sk-test-0123456789abcdef';
const KEYS = { OPENAI_API_KEY: KEY, GOOGLE_API_KEY: KEY, ANTHROPIC_API_KEY: KEY };
const MODELS = ['openai/m', 'google/m', 'anthropic/m', 'openai-compatible/m'];

function opened(name: string, baseUrl: string, environment: Environment = KEYS, isBaseUrlFromFile = true) {
  return textModel(name, { baseUrl, environment, isBaseUrlFromFile });
}

describe('a key', () => {
  it.each(MODELS)('of %s goes to no server that a file alone names', async (name) => {
    const error: unknown = await opened(name, 'https://other.example/v1').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain("would go to https://other.example, which the experiment's baseUrl names");
    expect(String(error)).not.toContain(KEY);
    expect(error).toMatchObject({ next: expect.stringContaining('export ASSAY_KEY_SERVERS=https://other.example') });
    const meant = { ...KEYS, ASSAY_KEY_SERVERS: 'https://a.example, https://other.example/' };
    await expect(opened(name, 'https://other.example/v1', meant)).resolves.toBeDefined();
    await expect(opened(name, 'https://other.example:444/v1', meant)).rejects.toThrow('would go to');
  });

  it.each(MODELS)('of %s goes nowhere over plain http but to this machine', async (name) => {
    for (const isFromFile of [true, false])
      await expect(opened(name, 'http://192.0.2.2:7802', KEYS, isFromFile)).rejects.toThrow('over plain http');
    for (const baseUrl of ['http://127.0.0.1:1/v1', 'http://localhost:1', 'http://[::1]:1/v1'])
      await expect(opened(name, baseUrl)).resolves.toBeDefined();
    await expect(opened(name, 'http://127.0.0.1.example.org')).rejects.toThrow('over plain http');
    const meant = { ...KEYS, ASSAY_KEY_SERVERS: 'http://192.0.2.2:7802' };
    await expect(opened(name, 'http://192.0.2.2:7802', meant)).resolves.toBeDefined();
    // That a server may have it over https says nothing of plain http.
    const other = { ...KEYS, ASSAY_KEY_SERVERS: 'https://192.0.2.2:7802' };
    await expect(opened(name, 'http://192.0.2.2:7802', other)).rejects.toThrow('over plain http');
  });

  it('goes where whoever runs it says: by the environment, or by hand', async () => {
    const environment = { ...KEYS, OPENAI_BASE_URL: 'https://gateway.example/v1' };
    await expect(textModel('openai/m', { environment })).resolves.toMatchObject({
      baseUrl: 'https://gateway.example/v1',
    });
    await expect(opened('openai/m', 'https://gateway.example/v2', environment)).resolves.toBeDefined();
    await expect(opened('google/m', 'https://gateway.example/v2', KEYS, false)).resolves.toBeDefined();
    await expect(opened('openai/m', 'https://api.openai.com/v2')).resolves.toBeDefined();
    const plain = { ...KEYS, OPENAI_BASE_URL: 'http://10.0.0.5:8000/v1' };
    await expect(textModel('openai-compatible/m', { environment: plain })).rejects.toMatchObject({
      next: expect.stringContaining('unset OPENAI_API_KEY for a server that wants no key'),
    });
  });

  it('that is not there is sent nowhere, so that any server may be asked', async () => {
    await expect(opened('openai-compatible/m', 'http://10.0.0.5:8000/v1', {})).resolves.toBeDefined();
    const look = withoutNeedOfKeys({});
    await expect(opened('openai-compatible/m', 'http://10.0.0.5:8000/v1', look)).resolves.toBeDefined();
  });
});
