import { expect, test } from 'vitest';

import { CaseSize } from '../../src/data/case-size.ts';
import { Problems } from '../../src/data/problems.ts';

const sized = (...sizes: readonly (readonly [tokens: number, items: number, bytes: number])[]) => {
  const problems = new Problems();
  const size = new CaseSize({ file: 'a', problems, maxBytes: 1 << 20 }, 7);
  const fits = sizes.map(([tokens, items, bytes]) => size.add(tokens, items, bytes));
  return [fits, problems.entries().map(({ line, message }) => `${String(line)}: ${message}`)];
};

test.each([
  ['tokens', [200_000, 0, 0], [1, 0, 0], 'the case has more than 200000 tokens'],
  ['annotations', [0, 100_000, 0], [0, 1, 0], 'the case has more than 100000 annotations'],
  ['bytes', [0, 0, 1 << 20], [0, 0, 1], 'the record is longer than 1 MiB'],
] as const)('a case of too many %s is reported once', (_, most, more, message) => {
  expect(sized(most, more, more)).toEqual([[true, false, false], [`7: ${message}`]]);
});
