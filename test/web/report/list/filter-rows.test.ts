import { expect, test } from 'vitest';

import { CASE_CHANGES } from '../../../../src/compare/case-change.ts';
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
  expect(showCounts(table, 0)).toEqual({ all: 5, wrong: 3, excused: 1, worse: 0, better: 0, others: 0, unchanged: 0 });
});

const two = tableOf({
  ids: ['same', 'fewer', 'more', 'others', 'failed', 'gone'],
  runs: [
    columns(6, { missed: [1, 3, 0, 2, 1, 1], measures: { f1: [1, 0.5, 1, 0, 0.5, 0.5] } }),
    columns(6, {
      missed: [1, 2, 0, 1, 1, 0],
      spurious: [0, 0, 1, 1, 0, 0],
      state: [0, 0, 0, 0, 1, 3],
      print: [0, 1, 1, 1, 0, 1],
      measures: { f1: [0.5, 0.5, 1, 0.9, null, null] },
    }),
  ],
});
const GROUPS = { worse: [2], better: [1], others: [3], unchanged: [0] } as const;

test.each([1, 0, null])(
  'each case that all runs have is in exactly one group, whichever run is looked at (%s)',
  (run) => {
    const rows = Int32Array.of(0, 1, 2, 3, 4, 5);
    for (const show of CASE_CHANGES) expect([...filterRows(two, rows, { show }, run)], show).toEqual(GROUPS[show]);
    expect(showCounts(two, run)).toMatchObject({ all: 6, worse: 1, better: 1, others: 1, unchanged: 1 });
  },
);

test('of three runs each has its groups, and all together the first that a case is in', () => {
  const three = tableOf({
    ids: ['both ways', 'better twice'],
    runs: [
      columns(2, { missed: [2, 2] }),
      columns(2, { missed: [1, 1], print: [1, 1] }),
      columns(2, { missed: [3, 1], print: [2, 1] }),
    ],
  });
  const counts = (run: number | null): number[] => CASE_CHANGES.map((show) => showCounts(three, run)[show]);
  expect([counts(1), counts(2), counts(0), counts(null)]).toEqual([
    [0, 2, 0, 0],
    [1, 1, 0, 0],
    [1, 1, 0, 0],
    [1, 1, 0, 0],
  ]);
});

test('of all runs together a case is let through for any of them, and for one at a time', () => {
  const rows = Int32Array.of(0, 1, 2, 3, 4, 5);
  expect([...filterRows(two, rows, { show: 'wrong' }, null)]).toEqual([0, 1, 2, 3, 4, 5]);
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
});

test('what is searched for is in the id, or in what was found in the texts', () => {
  const rows = Int32Array.of(0, 1, 2, 3, 4, 5);
  const found = Uint8Array.of(0, 0, 0, 1, 0, 0);
  const filter = { show: 'all', search: 'Me S' } as const;
  expect([...filterRows(two, rows, filter, 1)]).toEqual([0]);
  expect([...filterRows(two, rows, filter, 1, found)]).toEqual([0, 3]);
});

test('a case without a prediction is wrong, though nothing was expected', () => {
  const empty = tableOf({ ids: ['answered', 'not answered'], runs: [columns(2, { state: [0, 2] })] });
  expect([...filterRows(empty, Int32Array.of(0, 1), { show: 'wrong' }, 0)]).toEqual([1]);
});

test('without item verdicts the measure decides, and a value in one run only is neither better nor worse', () => {
  const measured = tableOf(
    {
      ids: ['a', 'b', 'c', 'd'],
      runs: [
        columns(4, { measures: { f1: [0.5, 0.5, null, null] } }),
        columns(4, { measures: { f1: [0.7, 0.1, 1, null] } }),
      ],
    },
    undefined,
    'f1',
  );
  const rows = Int32Array.of(0, 1, 2, 3);
  const shownIn = CASE_CHANGES.map((show) => [...filterRows(measured, rows, { show }, 1)]);
  expect(shownIn).toEqual([[1], [0], [2], [3]]);
});
