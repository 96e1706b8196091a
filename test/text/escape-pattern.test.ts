import fc from 'fast-check';
import { expect, test } from 'vitest';

import { escapePattern } from '../../src/text/escape-pattern.ts';

test('an escaped text matches itself and nothing else, with and without the flag u', () => {
  expect(escapePattern('a.b*[c]')).toBe(String.raw`a\.b\*\[c\]`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const flags of ['', 'u']) {
        const pattern = new RegExp(`^${escapePattern(text)}$`, flags);
        expect(pattern.test(text)).toBe(true);
        expect(pattern.test(`${text}x`)).toBe(false);
      }
    }),
  );
});
