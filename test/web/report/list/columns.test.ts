import { expect, test } from 'vitest';

import { columnsFor, nextSort, systemColumns } from '../../../../web/src/report/list/columns.ts';
import { columns, headOf, measure, tableOf } from './table-of.ts';

const one = tableOf({ ids: ['a'], runs: [columns(1, { measures: { f1: [1], recall: [1] } })] });
const two = tableOf({
  ids: ['a'],
  runs: [columns(1, { measures: { f1: [1] } }), columns(1, { measures: { f1: [1] } })],
});

function kinds(table: typeof one, runs: number, run: number, width: number): string[] {
  return columnsFor(table, headOf([measure({})], runs), run, width).map(({ key }) => key);
}

test('one run shows counts, bar and measures, and words where there is room', () => {
  const narrow = ['id', 'hit', 'missed', 'spurious', 'excused', 'bar', 'measure f1 0'];
  expect(kinds(one, 1, 0, 390)).toEqual(narrow);
  expect(kinds(one, 1, 0, 1400)).toEqual([...narrow, 'measure recall 0', 'what']);
});

test('several runs stand side by side with the change', () => {
  expect(kinds(two, 2, 1, 390)).toEqual(['id', 'measure f1 0', 'measure f1 1', 'change']);
});

test('only the run that is looked at can be sorted by', () => {
  const found = columnsFor(two, headOf([measure({})], 2), 1, 600).filter(({ kind }) => kind === 'measure');
  expect(found.map(({ sort }) => sort?.measure ?? null)).toEqual([null, 'f1']);
});

test('there is a column for each system, and one for how far apart they are', () => {
  const found = systemColumns(two, headOf([measure({})], 3), 'f1');
  expect(found.map(({ key, over, sort }) => [key, over, sort?.by, sort?.measure])).toEqual([
    ['id', null, 'id', null],
    ['system 0', 'baseline', 'measure', 'f1'],
    ['system 1', null, 'measure', 'f1'],
    ['system 2', null, 'measure', 'f1'],
    ['spread', null, 'spread', null],
  ]);
  expect(systemColumns(two, headOf([], 2), null).map(({ sort }) => sort?.by)).toEqual([
    'id',
    'errors',
    'errors',
    'spread',
  ]);
});

test('a column’s title sorts its own way, then the other way round, then not at all', () => {
  const file = { by: 'file', measure: null, reverse: false } as const;
  const asked = { by: 'measure', measure: 'f1' } as const;
  const first = nextSort(file, asked);
  expect(first).toEqual({ by: 'measure', measure: 'f1', reverse: false });
  const second = nextSort(first, asked);
  expect(second).toEqual({ by: 'measure', measure: 'f1', reverse: true });
  expect(nextSort(second, asked)).toEqual(file);
  expect(nextSort(second, { by: 'missed', measure: null })).toEqual({ by: 'missed', measure: null, reverse: false });
});
