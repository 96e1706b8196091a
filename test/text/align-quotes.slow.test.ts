import { expect, it } from 'vitest';

import { alignQuotes } from '../../src/text/align-quotes.ts';

const a = 'a'.repeat(200_000);
const words = 'a '.repeat(100_000);
const many = (count: number, quote: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => quote(at));

// What takes the product of the lengths would take minutes for one of these quotes, or hours for all of them.
it.each([
  ['one letter', a, many(5000, () => 'a'), ['exact']],
  ['parts of one word', a, many(1000, (at) => 'a'.repeat(at + 1)), ['exact']],
  ['half of it', a, ['a'.repeat(100_000)], ['exact']],
  ['what is nearly half of it', a, [`b${'a'.repeat(100_000)}`, `${'a'.repeat(100_000)}b`], ['missing']],
  ['what is nearly in it', a, many(500, (at) => `${'a'.repeat(at + 1)}b`), ['missing']],
  ['what is nearly in many words', words, many(500, (at) => `${'a '.repeat(at + 1)}bcdef`), ['missing', 'fuzzy']],
  ['lone surrogates', '\ud83d'.repeat(200_000), many(500, (at) => '\ud83d'.repeat(at + 1)), ['exact']],
  ['halves of emoji', '😀'.repeat(100_000), many(500, (at) => '\ude00\ud83d'.repeat(at + 1)), ['missing', 'fuzzy']],
] as const)('a text of 200,000 characters and hostile quotes: %s', (_, text, quotes, statuses) => {
  const started = process.cpuUsage().user;
  const aligned = alignQuotes(text, quotes);
  expect(new Set(aligned.map(({ status }) => status))).toEqual(new Set(statuses));
  expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(30);
});
