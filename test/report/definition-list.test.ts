import { expect, it } from 'vitest';

import { definitionList } from '../../src/report/definition-list.ts';

it('puts names and what they are in two columns that fit', () => {
  expect(
    definitionList(
      [
        ['a', 'first'],
        ['long', 'one two three four five'],
      ],
      24,
    ),
  ).toEqual(['  a     first', '  long  one two three four', '        five']);
  expect(definitionList([], 80)).toEqual([]);
});
