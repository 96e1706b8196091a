import { expect, test } from 'vitest';

import { type ItemMode, modeAt } from '../../../web/src/rate/item-work.ts';

const EDIT: ItemMode = { kind: 'edit', field: 'claims', id: 's1', before: 'Eat rice.', run: 'r' };

test('words are open while the person is at their row, and at no other', () => {
  expect(modeAt(EDIT, { field: 'claims', part: 's1' })).toBe(EDIT);
  for (const row of [{ field: 'claims', part: 's2' }, { field: 'other', part: 's1' }, null])
    expect(modeAt(EDIT, row)).toEqual({ kind: 'none' });
});

test('a dialog is open wherever the person is', () => {
  const split: ItemMode = { kind: 'split', field: 'claims', id: 's1' };
  expect(modeAt(split, null)).toBe(split);
});
