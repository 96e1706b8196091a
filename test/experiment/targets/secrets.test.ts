import { expect, it } from 'vitest';

import { secretsIn, withoutSecrets } from '../../../src/experiment/targets/secrets.ts';

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
