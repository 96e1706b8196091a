import { describe, expect, it } from 'vitest';

import { secretsIn, valueWithoutSecrets, withoutKey, withoutSecrets } from '../../../src/experiment/models/secrets.ts';

describe('withoutKey', () => {
  it('takes out a key in every form in which it may come back', () => {
    const key = 'sk+abc/123=456';
    const base64 = 'c2srYWJjLzEyMz00NTY=';
    expect(withoutKey(`${key} ${key} sk%2Babc%2F123%3D456 ${base64}`, key)).toBe('[key] [key] [key] [key]');
  });

  it.each([
    ['as JSON writes it', JSON.stringify({ a: 'b"c\\d/ééfgh' }), '{"a":"[key]"}'],
    ['as JSON within JSON', JSON.stringify(JSON.stringify('b"c\\d/ééfgh')), '"\\"[key]\\""'],
    ['with slashes escaped', '"b\\"c\\\\d\\/ééfgh"', '"[key]"'],
    ['with letters escaped', '"\\u0062\\u0022c\\u005Cd\\/\\u00e9\\u00E9fgh"', '"[key]"'],
    ['as an address writes it', 'x=b%22c%5cd%2F%C3%A9%c3%a9fgh&y=%20', 'x=[key]&y=%20'],
    ['not at all', 'b"c\\\\e and 100 %', 'b"c\\\\e and 100 %'],
  ])('takes out a key with quotes in it: %s', (_, text, expected) => {
    expect(withoutKey(text, 'b"c\\d/ééfgh')).toBe(expected);
  });

  it('leaves words alone where the key is one, as local servers take it', () => {
    expect(withoutKey('none of them', 'none')).toBe('none of them');
    expect(withoutKey('none of them', null)).toBe('none of them');
  });
});

it('a key is found in the base64 of anything that holds it, and in hexadecimal', () => {
  const key = 'sk-live-0123456789abcdef';
  for (const before of ['', 'B', 'Be', 'Bearer ', 'public:'])
    for (const after of ['', '!', '!!', ' and more']) {
      const encoded = Buffer.from(`${before}${key}${after}`).toString('base64');
      const left = Buffer.from(withoutKey(encoded, key).replaceAll('[key]', ''), 'base64').toString('latin1');
      // What stays is what stood before and after, and at most a letter of the key on either side.
      expect(withoutKey(encoded, key)).toContain('[key]');
      expect(left).not.toContain('live-0123');
    }
  expect(withoutKey(Buffer.from(key).toString('hex'), key)).toBe('[key]');
});

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

describe('a key that is cut', () => {
  const key = 'sk-live-A1b2C3d4E5f6';
  it.each([
    ['the first ten characters', 'sk-live-A1', '[key]'],
    ['the last ten in a sentence', 'no b2C3d4E5f6, sorry', 'no [key], sorry'],
    ['ten in the middle', 'x-A1b2C3d4Ex', 'x[key]x'],
    ['two parts', 'sk-live-A1... and ...b2C3d4E5f6', '[key]... and ...[key]'],
    [
      'a key that breaks off in a message',
      'Incorrect API key provided: sk-live-A1b2C3d…',
      'Incorrect API key provided: [key]…',
    ],
    ['nine characters', 'sk-live-A', 'sk-live-A'],
  ])('is removed: %s', (_, text, expected) => {
    expect(withoutKey(text, key)).toBe(expected);
  });

  it('wherever it begins in a longer text', () => {
    for (let before = 0; before < 25; before += 1)
      for (let length = 10; length <= key.length; length += 1)
        expect(withoutKey(`${'.'.repeat(before)}${key.slice(-length)}!`, key)).toBe(`${'.'.repeat(before)}[key]!`);
  });

  it('leaves words and paths that are part of a long secret', () => {
    expect(withoutKey('in development, see /home/user/a', 'for-development-only')).toBe(
      'in development, see /home/user/a',
    );
    expect(withoutKey('see /home/user/a', '/home/user/.ssh/id_ed25519')).toBe('see /home/user/a');
  });
});
