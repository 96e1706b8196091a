import { expect, test } from 'vitest';

import { readableName, relationOf } from '../../web/src/relation.ts';

test('what has a source and a target and no place of its own is a link between them', () => {
  const facts = { source: 'Ann', target: 'Acme', since: '2019' };
  expect(relationOf({ start: -1, kind: 'works_for', facts })).toEqual({
    source: 'Ann',
    kind: 'works_for',
    target: 'Acme',
  });
  expect(relationOf({ start: 4, kind: 'works_for', facts })).toBeNull();
  expect(relationOf({ start: -1, kind: null, facts })).toBeNull();
  expect(relationOf({ start: -1, kind: 'Person', facts: { source: 'Ann' } })).toBeNull();
});

test('names of a data format are read as words', () => {
  expect(readableName('works_for')).toBe('works for');
  expect(readableName('LIVED_IN')).toBe('LIVED IN');
});
