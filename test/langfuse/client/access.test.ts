import { describe, expect, it } from 'vitest';

import { langfuseAccess } from '../../../src/langfuse/client/access.ts';
import { hasLangfuse } from '../../../src/langfuse/client/access.ts';

const KEYS = { LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-2' };

describe('whether Langfuse is used', () => {
  it('is when both keys are set, and not when neither is', () => {
    expect(hasLangfuse(KEYS)).toBe(true);
    expect(hasLangfuse({})).toBe(false);
    expect(hasLangfuse({ LANGFUSE_PUBLIC_KEY: ' ', LANGFUSE_SECRET_KEY: '' })).toBe(false);
  });

  it('names the key that is missing when the other is set', () => {
    expect(() => hasLangfuse({ LANGFUSE_PUBLIC_KEY: 'pk-lf-1' })).toThrow('but LANGFUSE_SECRET_KEY is not');
    expect(() => hasLangfuse({ LANGFUSE_SECRET_KEY: 'sk-lf-2' })).toThrow('but LANGFUSE_PUBLIC_KEY is not');
  });
});

describe('keys and address', () => {
  it('are those of the cloud unless another address is set, by any of its three names', () => {
    expect(langfuseAccess(KEYS)).toEqual({
      publicKey: 'pk-lf-1',
      secretKey: 'sk-lf-2',
      baseUrl: 'https://cloud.langfuse.com',
    });
    for (const name of ['LANGFUSE_BASE_URL', 'LANGFUSE_BASEURL', 'LANGFUSE_HOST'])
      expect(langfuseAccess({ ...KEYS, [name]: 'http://localhost:3000/' }).baseUrl, name).toBe('http://localhost:3000');
    const both = { ...KEYS, LANGFUSE_HOST: 'http://b', LANGFUSE_BASE_URL: 'http://a/langfuse/' };
    expect(langfuseAccess(both).baseUrl).toBe('http://a/langfuse');
  });

  it('are refused without showing them when they cannot be right', () => {
    expect(() => langfuseAccess({})).toThrow('LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are not set');
    const broken = { ...KEYS, LANGFUSE_SECRET_KEY: 'sk-lf-2\nsk' };
    expect(() => langfuseAccess(broken)).toThrow(/^LANGFUSE_SECRET_KEY holds characters that no key has/);
    for (const url of ['localhost:3000', 'file:///etc/passwd', 'nonsense'])
      expect(() => langfuseAccess({ ...KEYS, LANGFUSE_HOST: url }), url).toThrow('LANGFUSE_HOST is no http or https');
    const inside = { ...KEYS, LANGFUSE_BASE_URL: 'https://pk:secret@cloud.langfuse.com' };
    expect(() => langfuseAccess(inside)).toThrow(/^LANGFUSE_BASE_URL has a user, a password/);
  });
});
