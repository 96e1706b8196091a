import { expect, test } from 'vitest';

import { langfuseFailure } from '../../../src/langfuse/client/call-failure.ts';

test.each([
  [`Unexpected token 'b', "bad gateway" is not valid JSON`, 'what it answers is no JSON'],
  ['Unexpected end of JSON input', 'what it answers is no JSON'],
  ['fetch failed', 'no connection, or it was dropped'],
  ['terminated', 'no connection, or it was dropped'],
  ['read ECONNRESET', 'no connection, or it was dropped'],
  ['', 'no answer'],
  ['self-signed certificate', 'self-signed certificate'],
])('an answer without a status that ends in %j is told as %j', (message, words) => {
  expect(langfuseFailure(new Error(message), (text) => text)).toEqual({
    status: null,
    passes: 'soon',
    words,
    retryAfterMs: null,
  });
});

test('takes keys out before it cuts: half a key is most of a key', () => {
  const key = 'sk-lf-0123456789abcdef0123456789abcdef';
  const body = { message: `${'x'.repeat(190)}${key} and more` };
  const { words } = langfuseFailure({ statusCode: 500, body }, (text) => text.replaceAll(key, '[key]'));
  expect(words).toContain('[key]');
  expect(words).not.toContain('sk-lf');
});
