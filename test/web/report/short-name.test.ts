import { expect, test } from 'vitest';

import { longTitle, shortName } from '../../../web/src/report/short-name.ts';

test('a name is written as it is, with what cannot be seen named', () => {
  expect(shortName('LOC')).toBe('LOC');
  expect(shortName('x'.repeat(200))).toBe('x'.repeat(200));
  expect(shortName('a\u202eb')).toBe('aU+202Eb');
});

test('a name without end is cut, never within a character, and its length is told', () => {
  expect(shortName('x'.repeat(1_000_000))).toBe(`${'x'.repeat(200)}… (1,000,000 characters)`);
  expect(shortName(`${'x'.repeat(199)}😀😀`)).toBe(`${'x'.repeat(199)}… (203 characters)`);
  expect(longTitle('x'.repeat(5000))).toBe(`${'x'.repeat(2000)}…`);
});
