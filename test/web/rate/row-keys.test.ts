import { expect, test } from 'vitest';

import { rowKeys } from '../../../web/src/rate/row-keys.ts';
import { FORM } from './review-item.ts';

function said(field: keyof typeof FORM, part: string | null): readonly string[] {
  return rowKeys(FORM[field], { field, part }).map(({ keys, value }) => `${keys.join()} ${String(value)}`);
}

test('the points of a scale are their digits', () => {
  expect(said('rating', 'safety')).toEqual(['1 1', '2 2', '3 3']);
});

test('options have a letter and a digit', () => {
  expect(said('kind', null)).toEqual(['a,1 diet', 'b,2 rest']);
});

test('x answers only what may not apply', () => {
  expect(said('parts', 'food')).toEqual(['y true', 'n false']);
  expect(said('parts', 'herbs')).toEqual(['y true', 'n false', 'x na']);
});

test('labels are numbered, and a list without anything in it has none to give', () => {
  expect(said('claims', 's1')).toEqual(['1 yes', '2 no']);
  expect(said('claims', null)).toEqual([]);
});

test('points beyond 9 have no key of their own, negative ones neither', () => {
  const wide = { ...FORM.rating, from: -1, to: 11, anchors: {} };
  expect(rowKeys(wide, { field: 'rating', part: null }).map(({ keys }) => keys.join())).toEqual('0123456789'.split(''));
});
