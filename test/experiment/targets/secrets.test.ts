import { expect, it } from 'vitest';

import { secretsIn, valueWithoutSecrets, withoutSecrets } from '../../../src/experiment/targets/secrets.ts';

it('takes for secrets what stands under their names, the longest first', () => {
  const environment = {
    OPENAI_API_KEY: 'sk-12345678',
    LANGFUSE_SECRET_KEY: 'sk-12345678-and-more',
    GITHUB_TOKEN: undefined,
    DB_PASSWORD: ' pass-123 ',
    HOME: '/home/ann/long/path',
    KEYBOARD: 'us-international',
  };
  const secrets = secretsIn(environment);
  expect(secrets).toEqual(['sk-12345678-and-more', 'sk-12345678', 'pass-123']);
  expect(withoutSecrets('a sk-12345678-and-more b sk-12345678 c pass-123', secrets)).toBe('a [key] b [key] c [key]');
});

it('takes them out of every text and every name in a value, and leaves the rest as it is', () => {
  const value = JSON.parse('{"__proto__":{"a":["x sk-12345678"]},"sk-12345678":1,"n":1234567890,"b":[true,null,1.5]}');
  const clean = valueWithoutSecrets(value, ['sk-12345678', '1234567890']);
  expect(JSON.stringify(clean)).toBe('{"__proto__":{"a":["x [key]"]},"[key]":1,"n":"[key]","b":[true,null,1.5]}');
});
