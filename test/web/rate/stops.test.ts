import { expect, test } from 'vitest';

import type { ReviewCell } from '../../../src/store/review-records.ts';
import { labelledItems } from '../../../web/src/rate/cells.ts';
import { labelItem } from '../../../web/src/rate/item-edits.ts';
import { firstOpen, missingStops, neededStops, stopKey, stopsOf } from '../../../web/src/rate/stops.ts';
import { CONTENT, FIELDS, FORM } from './review-item.ts';

function missing(cells: readonly ReviewCell[]): readonly string[] {
  return missingStops(FORM, FIELDS, CONTENT, cells).map(stopKey);
}

test('rows are dimensions, ticks, claims and whole questions, in the order of the form', () => {
  expect(stopsOf(FORM, FIELDS, CONTENT, []).map(stopKey)).toEqual([
    'rating/safety',
    'rating/clarity',
    'kind',
    'parts/food',
    'parts/herbs',
    'claims/s1',
    'claims/s2',
    'comment',
  ]);
});

test('only the questions of the item are asked', () => {
  expect(stopsOf(FORM, ['kind', 'gone'], CONTENT, []).map(stopKey)).toEqual(['kind']);
});

test('a list that was emptied is still a row', () => {
  expect(stopsOf(FORM, ['claims'], CONTENT, [{ field: 'claims', part: null, value: [] }]).map(stopKey)).toEqual([
    'claims',
  ]);
});

test('what is optional is never missing', () => {
  expect(missing([])).toEqual(['rating/safety', 'rating/clarity', 'kind', 'claims/s1', 'claims/s2']);
});

test('an optional checklist may stay half ticked', () => {
  expect(missing([{ field: 'parts', part: 'food', value: false }])).not.toContain('parts/herbs');
});

test('nothing is missing when every row that counts has an answer; zero and no are answers', () => {
  const claims = labelItem(labelItem(labelledItems(CONTENT, [], 'claims'), 's1', 'yes'), 's2', 'no');
  const cells: readonly ReviewCell[] = [
    { field: 'rating', part: 'safety', value: 0 },
    { field: 'rating', part: 'clarity', value: 3 },
    { field: 'kind', part: null, value: 'diet' },
    { field: 'parts', part: 'food', value: false },
    { field: 'parts', part: 'herbs', value: 'na' },
    { field: 'claims', part: null, value: claims },
  ];
  expect(missing(cells)).toEqual([]);
});

test('what an item needs does not change while it is answered', () => {
  const needed = (cells: readonly ReviewCell[]) => neededStops(FORM, FIELDS, CONTENT, cells).map(stopKey);
  const asked = ['rating/safety', 'rating/clarity', 'kind', 'claims/s1', 'claims/s2'];
  expect(needed([])).toEqual(asked);
  expect(needed([{ field: 'kind', part: null, value: 'diet' }])).toEqual(asked);
  expect(needed([{ field: 'parts', part: 'food', value: true }])).toEqual(asked);
});

test('work begins at the top, goes on at the first thing missing, and looks at what is whole from the top', () => {
  const first = (cells: readonly ReviewCell[]) => firstOpen(FORM, ['parts', 'rating', 'comment'], CONTENT, cells);
  const safety = { field: 'rating', part: 'safety', value: 2 };
  expect(first([])).toEqual({ field: 'parts', part: 'food' });
  expect(first([safety])).toEqual({ field: 'rating', part: 'clarity' });
  expect(first([safety, { field: 'rating', part: 'clarity', value: 1 }])).toEqual({ field: 'parts', part: 'food' });
  expect(firstOpen(FORM, [], CONTENT, [])).toBeNull();
});
