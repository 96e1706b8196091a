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

test('change puts what got worse first, and what is not paired last', () => {
  const sort: CaseSort = { by: 'change', measure: null, reverse: false };
  const errors = tableOf({
    ids: ['same', '4 fewer', '1 more', 'failed', '9 more'],
    // F1 goes the other way, and decides nothing.
    runs: [
      columns(5, { missed: [5, 5, 5, 5, 0], measures: { f1: [0.5, 0.9, 0.5, 0.5, 0.1] } }),
      columns(5, { spurious: [5, 1, 6, 0, 9], state: [0, 0, 0, 1, 0], measures: { f1: [0.5, 0.1, 0.6, null, 1] } }),
    ],
  });
  expect([...sortRows(errors, sort, 1)]).toEqual([4, 2, 0, 1, 3]);
  expect([...sortRows(errors, { ...sort, reverse: true }, 1)]).toEqual([1, 0, 2, 4, 3]);
  const measured = tableOf(
    {
      ids: ['same', 'much better', 'worse', 'untold', 'much worse'],
      runs: [
        columns(5, { measures: { f1: [0.5, 0.1, 0.5, 0.5, 1] } }),
        columns(5, { measures: { f1: [0.5, 0.9, 0.4, null, 0.1] } }),
      ],
    },
    undefined,
    'f1',
  );
  expect([...sortRows(measured, sort, 1)]).toEqual([4, 2, 0, 1, 3]);
});

test('difference puts first where runs are farthest apart, in what cases change by', () => {
  const index = {
    ids: ['alike', 'apart', 'of two', 'not in all'],
    runs: [
      columns(4, { missed: [1, 1, 0, 0], measures: { f1: [0.5, 0.1, 0.5, 0.5] } }),
      columns(4, { missed: [1, 1, 2, 0], measures: { f1: [0.5, 0.9, null, null] } }),
      columns(4, { missed: [1, 2, 1, 9], state: [0, 0, 0, 3], measures: { f1: [0.5, 0.4, 0.7, 1] } }),
    ],
  };
  const by = (name: string | null, reverse: boolean) => [
    ...sortRows(tableOf(index, undefined, name), { by: 'spread', measure: null, reverse }, 1),
  ];
  // 0, 1 and 2 errors apart.
  expect(by(null, false)).toEqual([2, 1, 0, 3]);
  expect(by(null, true)).toEqual([0, 1, 2, 3]);
  // A run has no value of the third.
  expect(by('f1', false)).toEqual([1, 0, 2, 3]);
});

test('says which way the numbers go', () => {
  const of = (by: SortKey, name: string | null, reverse: boolean) => directionOf(table, { by, measure: name, reverse });
  expect(of('measure', 'f1', false)).toBe('ascending');
  expect(of('measure', 'delay', false)).toBe('descending');
  expect(of('errors', null, false)).toBe('descending');
  expect(of('errors', null, true)).toBe('ascending');
});
