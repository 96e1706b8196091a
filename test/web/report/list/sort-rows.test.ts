import { expect, test } from 'vitest';

import { directionOf, sortRows } from '../../../../web/src/report/list/sort-rows.ts';
import type { CaseSort, SortKey } from '../../../../web/src/report/state.ts';
import { columns, measure, tableOf } from './table-of.ts';

const table = tableOf(
  {
    ids: ['c10', 'c9', 'c1', 'c2'],
    runs: [
      columns(4, {
        hit: [1, 2, 3, 4],
        missed: [1, 0, 2, 0],
        spurious: [1, 0, 0, 3],
        measures: { f1: [0.5, null, 0.25, 0.5], delay: [3, 1, 2, null], ratio: [1.5, 0.9, 1, 0.2] },
      }),
    ],
  },
  [measure({}), measure({ name: 'delay', direction: 'lower' }), measure({ name: 'ratio', best: 1 })],
);

function sorted(by: SortKey, reverse = false, name: string | null = null): number[] {
  return [...sortRows(table, { by, measure: name, reverse }, 0)];
}

test('the order of the file, and the other way round', () => {
  expect(sorted('file')).toEqual([0, 1, 2, 3]);
  expect(sorted('file', true)).toEqual([3, 2, 1, 0]);
});

test('numbers in ids count as numbers', () => {
  expect(sorted('id')).toEqual([2, 3, 1, 0]);
});

test('the most errors come first, ties in the order of the file', () => {
  expect(sorted('errors')).toEqual([3, 0, 2, 1]);
  expect(sorted('errors', true)).toEqual([1, 0, 2, 3]);
});

test('a measure puts the worst first and cases without a value last, either way', () => {
  expect(sorted('measure', false, 'f1')).toEqual([2, 0, 3, 1]);
  expect(sorted('measure', true, 'f1')).toEqual([0, 3, 2, 1]);
});

test('where lower is better the highest comes first', () => {
  expect(sorted('measure', false, 'delay')).toEqual([0, 2, 1, 3]);
});

test('where a value in between is best the farthest from it comes first', () => {
  // Distances from 1: 0.5, 0.1, 0, 0.8.
  expect(sorted('measure', false, 'ratio')).toEqual([3, 0, 1, 2]);
});

test('a measure that is none leaves the order of the file', () => {
  expect(sorted('measure', false, 'constructor')).toEqual([0, 1, 2, 3]);
});

test('change puts what got worse first, and what cannot be told last', () => {
  const two = tableOf({
    ids: ['same', 'much better', 'worse', 'untold', 'much worse'],
    runs: [
      columns(5, { measures: { f1: [0.5, 0.1, 0.5, 0.5, 1] } }),
      columns(5, { measures: { f1: [0.5, 0.9, 0.4, null, 0.1] } }),
    ],
  });
  const sort: CaseSort = { by: 'change', measure: null, reverse: false };
  expect([...sortRows(two, sort, 1)]).toEqual([4, 2, 0, 1, 3]);
  expect([...sortRows(two, { ...sort, reverse: true }, 1)]).toEqual([1, 0, 2, 4, 3]);
});

test('difference puts first where runs are farthest apart, by a measure or by their errors', () => {
  const three = tableOf({
    ids: ['alike', 'apart', 'of two', 'of one'],
    runs: [
      columns(4, { missed: [1, 1, 0, 0], measures: { f1: [0.5, 0.1, 0.5, 0.5] } }),
      columns(4, { missed: [1, 1, 2, 0], measures: { f1: [0.5, 0.9, null, null] } }),
      columns(4, { missed: [1, 2, 1, 9], state: [0, 0, 0, 3], measures: { f1: [0.5, 0.4, 0.7, 1] } }),
    ],
  });
  const by = (name: string | null, reverse: boolean) => [
    ...sortRows(three, { by: 'spread', measure: name, reverse }, 1),
  ];
  expect(by('f1', false)).toEqual([1, 2, 0, 3]);
  expect(by('f1', true)).toEqual([0, 2, 1, 3]);
  // 0, 1, 2 and 0 errors apart: the third run does not have the last case.
  expect(by(null, false)).toEqual([2, 1, 0, 3]);
});

test('says which way the numbers go', () => {
  const of = (by: SortKey, name: string | null, reverse: boolean) => directionOf(table, { by, measure: name, reverse });
  expect(of('measure', 'f1', false)).toBe('ascending');
  expect(of('measure', 'delay', false)).toBe('descending');
  expect(of('errors', null, false)).toBe('descending');
  expect(of('errors', null, true)).toBe('ascending');
});
