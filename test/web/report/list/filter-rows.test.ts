import { expect, test } from 'vitest';

import { ERROR_TYPES } from '../../../../src/judge/error-type.ts';
import { filterRows, showCounts } from '../../../../web/src/report/list/filter-rows.ts';
import type { CaseFilter } from '../../../../web/src/report/state.ts';
import { columns, tableOf } from './table-of.ts';

const ALL = Int32Array.of(0, 1, 2, 3, 4);

/** Five cases: right, missed a LOC, spurious PERSON with a boundary error, excused only, failed. */
const table = tableOf({
  ids: ['Alpha-1', 'alpha-2', 'beta-1', 'beta-2', 'gamma'],
  labels: ['LOC', 'PERSON', 'constructor'],
  rules: ['pair', 'no-match', 'excuse'],
  slices: { country: { values: ['DE', ''], of: [0, 0, 1, -1, 1] } },
  runs: [
    columns(5, {
      hit: [3, 2, 2, 1, 0],
      missed: [0, 1, 0, 0, 0],
      spurious: [0, 0, 1, 0, 0],
      excused: [0, 0, 0, 2, 4],
      state: [0, 0, 0, 0, 1],
      errors: [0, 1 << 6, 1 << 0, 0, 0],
      wrongLabels: [[], [0], [1], [], []],
      rules: [[0], [0, 1], [0, 1], [0, 2], []],
    }),
  ],
});

function shown(filter: CaseFilter, run = 0): number[] {
  return [...filterRows(table, ALL, filter, run)];
}

test.each<[string, CaseFilter, number[]]>([
  ['all', { show: 'all' }, [0, 1, 2, 3, 4]],
  ['wrong ones, and the failed', { show: 'wrong' }, [1, 2, 4]],
  ['excused, but not what failed', { show: 'excused' }, [3]],
  ['a type of error', { show: 'all', error: 'boundary' }, [2]],
  ['a label that is wrong', { show: 'all', label: 'LOC' }, [1]],
  ['a label that is no label here', { show: 'all', label: 'toString' }, []],
  ['a rule that decided', { show: 'all', rule: 'no-match' }, [1, 2]],
  ['a rule among the wrong', { show: 'wrong', rule: 'pair' }, [1, 2]],
  ['a value of a slice', { show: 'all', slice: ['country', 'DE'] }, [0, 1]],
  ['the empty value of a slice', { show: 'all', slice: ['country', ''] }, [2, 4]],
  ['a slice that is none', { show: 'all', slice: ['constructor', 'name'] }, []],
  ['cases that were picked', { show: 'all', cases: ['gamma', 'alpha-2', 'nobody'] }, [1, 4]],
  ['part of an id, whatever its case', { show: 'all', search: 'ALPHA' }, [0, 1]],
])('shows %s', (_, filter, rows) => {
  expect(shown(filter)).toEqual(rows);
});

test('keeps the order it is given', () => {
  expect([...filterRows(table, Int32Array.of(4, 2, 1, 0, 3), { show: 'wrong' }, 0)]).toEqual([4, 2, 1]);
});

test('a run that the report does not have shows nothing', () => {
  expect(shown({ show: 'all' }, 7)).toEqual([]);
});

test('counts what each way of showing leaves', () => {
  expect(showCounts(table, 0)).toEqual({ all: 5, wrong: 3, excused: 1, differs: 0, better: 0, worse: 0 });
});

const two = tableOf({
  ids: ['same', 'better', 'worse', 'moved', 'lost', 'gone'],
  runs: [
    columns(6, { hit: [1, 1, 1, 1, 1, 1], measures: { f1: [1, 0.5, 1, 0.5, 0.5, 0.5] } }),
    columns(6, {
      hit: [1, 2, 0, 1, 1, 0],
      missed: [0, 0, 1, 1, 0, 0],
      state: [0, 0, 0, 0, 0, 3],
      measures: { f1: [1, 1, 0, 0.5, null, null] },
    }),
  ],
});

test.each([1, 0])('sets runs beside the baseline, whichever of two is looked at (%i)', (run) => {
  const rows = Int32Array.of(0, 1, 2, 3, 4, 5);
  expect([...filterRows(two, rows, { show: 'differs' }, run)]).toEqual([1, 2, 3, 4, 5]);
  expect([...filterRows(two, rows, { show: 'better' }, run)]).toEqual([1]);
  expect([...filterRows(two, rows, { show: 'worse' }, run)]).toEqual([2]);
});

test('of all runs together a case is let through for any of them, and for one at a time', () => {
  const rows = Int32Array.of(0, 1, 2, 3, 4, 5);
  expect([...filterRows(two, rows, { show: 'differs' }, null)]).toEqual([1, 2, 3, 4, 5]);
  expect([...filterRows(two, rows, { show: 'wrong' }, null)]).toEqual([2, 3]);
  const labelled = tableOf({
    ids: ['a', 'b'],
    labels: ['LOC'],
    runs: [
      columns(2, { missed: [1, 0], wrongLabels: [[0], []] }),
      columns(2, { errors: [0, 1], wrongLabels: [[0], [0]] }),
    ],
  });
  // In the second run nothing of a is wrong by its type, and no other run has that type.
  const filter = { show: 'all', error: ERROR_TYPES[0], label: 'LOC' } as const;
  expect([...filterRows(labelled, Int32Array.of(0, 1), filter, null)]).toEqual([1]);
  expect(showCounts(two, null)).toEqual({ all: 6, wrong: 2, excused: 0, differs: 5, better: 1, worse: 1 });
});

test('what is searched for is in the id, or in what was found in the texts', () => {
  const rows = Int32Array.of(0, 1, 2, 3, 4, 5);
  const found = Uint8Array.of(0, 0, 0, 1, 0, 0);
  const filter = { show: 'all', search: 'Me S' } as const;
  expect([...filterRows(two, rows, filter, 1)]).toEqual([0]);
  expect([...filterRows(two, rows, filter, 1, found)]).toEqual([0, 3]);
});

test('a case differs where the counts are equal and the items are not', () => {
  const counts = { hit: [1, 1], spurious: [1, 1] };
  const alike = tableOf({
    ids: ['same', 'another name'],
    runs: [columns(2, { ...counts, print: [0, 0] }), columns(2, { ...counts, print: [0, 1] })],
  });
  expect([...filterRows(alike, Int32Array.of(0, 1), { show: 'differs' }, 1)]).toEqual([1]);
  expect(showCounts(alike, 1)).toEqual({ all: 2, wrong: 2, excused: 0, differs: 1, better: 0, worse: 0 });
});

test('a case without a prediction is wrong, though nothing was expected', () => {
  const empty = tableOf({ ids: ['answered', 'not answered'], runs: [columns(2, { state: [0, 2] })] });
  expect([...filterRows(empty, Int32Array.of(0, 1), { show: 'wrong' }, 0)]).toEqual([1]);
});

test('without a measure per case fewer errors are better', () => {
  const counts = tableOf({
    ids: ['a', 'b'],
    runs: [columns(2, { missed: [2, 0] }), columns(2, { missed: [1, 0], spurious: [0, 1] })],
  });
  const rows = Int32Array.of(0, 1);
  expect([...filterRows(counts, rows, { show: 'better' }, 1)]).toEqual([0]);
  expect([...filterRows(counts, rows, { show: 'worse' }, 1)]).toEqual([1]);
});
