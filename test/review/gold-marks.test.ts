import { expect, test } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { type GoldMark, goldMarks, type MarkSave, marksReview, saveMark } from '../../src/review/gold-marks.ts';
import { loadSnapshot } from '../../src/review/snapshot.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const RUN = { path: 'may/first try', gold: 'abc', task: 'pii', origin: { recipe: 'x', files: [] }, kinds: ['PERSON'] };
const TEXT = 'Ann Lee met Bo.';
const ANN = {
  case: 'd1 (a)',
  caseInFiles: 'd1',
  side: 'gold',
  item: makeItem({ kind: 'span', index: 4, label: 'PERSON', text: 'Ann', start: 0, end: 3 }),
  text: TEXT,
} as const;
const SECRET = Buffer.from('a secret of the tests, long enough to be one');

function marking() {
  const store = openStore(temporaryFolder());
  let sent = 0;
  const mark = (given: Partial<MarkSave>, about = ANN as Parameters<typeof saveMark>[2]): string | null => {
    sent += 1;
    return store.transaction(() =>
      saveMark(store, RUN, about, { id: `m${sent}`, by: 'Kim', label: null, ...given }, SECRET),
    );
  };
  const marks = (): GoldMark[] => goldMarks(store, marksReview(store, RUN)!);
  return { store, mark, marks };
}

test('a mark is an answer in the review of the run, which is named after it and begins with the first mark', () => {
  const { store, mark, marks } = marking();
  expect(marksReview(store, RUN)).toBeNull();
  expect(mark({ label: 'wrong_boundary', start: 0, end: 7, note: 'short' })).toBeNull();
  expect(marksReview(store, RUN)?.name).toBe('gold-may-first-try');
  expect(marksReview(store, { ...RUN, gold: 'another' })).toBeNull();
  expect(marks()).toMatchObject([
    {
      case: 'd1 (a)',
      item: 'gold.span.4',
      by: 'Kim',
      label: 'wrong_boundary',
      words: 'Ann Lee',
      text: 'Ann',
      note: 'short',
    },
  ]);
  const { items, states, people } = loadSnapshot(store, 'gold-may-first-try');
  expect(items).toMatchObject([{ caseId: 'd1', kind: 'case', system: null }]);
  expect(states).toMatchObject([{ committed: true, cells: [{ field: 'gold' }] }]);
  expect(people.map(({ name, role }) => [name, role])).toEqual([['Kim', 'reviewer']]);
  store.close();
});

test('a person is the same whatever the case of the letters, a mark that is taken back is none, and its history stays', () => {
  const { store, mark, marks } = marking();
  mark({ label: 'wrong' });
  mark({ label: 'unsure', by: 'KIM' });
  expect(marks().map(({ by, label }) => [by, label])).toEqual([['Kim', 'unsure']]);
  mark({ label: null });
  expect(marks()).toEqual([]);
  const { id } = marksReview(store, RUN)!;
  expect(store.reviews.states(id)[0]?.committed).toBe(false);
  expect(store.reviews.history(id, { field: 'gold' })).toHaveLength(3);
  store.close();
});

test('without the text a mark has no place, and what cannot be is refused and begins no review', () => {
  const { store, mark, marks } = marking();
  const without = { ...ANN, text: null };
  expect(mark({ label: 'wrong_boundary', start: 0, end: 7 }, without)).toContain('cannot be kept');
  expect(mark({ label: 'missing' })).toContain('expected one of wrong, wrong_label, wrong_boundary, unsure, right');
  expect(mark({ label: 'wrong', by: ' ' })).toContain('cannot be a name');
  expect(store.reviews.list()).toEqual([]);
  expect(mark({ label: 'wrong_label', kind: 'ORG' }, without)).toBeNull();
  expect(marks()).toMatchObject([{ start: -1, end: -1, kind: 'ORG', was: 'PERSON' }]);
  store.close();
});
