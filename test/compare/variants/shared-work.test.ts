import { expect, test } from 'vitest';

import { PairMemo } from '../../../src/compare/variants/shared-work.ts';

test('each pair is worked out once, few or many, until all is cleared', () => {
  const memo = new PairMemo<string>();
  const things = Array.from({ length: 12 }, () => ({}));
  let made = 0;
  const all = (): string[] =>
    things.flatMap((first, a) =>
      things.map((second, b) =>
        memo.of(first, second, () => {
          made += 1;
          return `${a} ${b}`;
        }),
      ),
    );
  const expected = things.flatMap((_, a) => things.map((_one, b) => `${a} ${b}`));
  expect(all()).toEqual(expected);
  expect(all()).toEqual(expected);
  expect(made).toBe(144);
  memo.clear();
  expect(all()).toEqual(expected);
  expect(made).toBe(288);
});
