import { expect, test } from 'vitest';

import type { CellValue } from '../../../src/store/review-records.ts';
import { valueOf } from '../../../web/src/rate/cells.ts';
import { changeItem, type ItemState, openItem } from '../../../web/src/rate/item-state.ts';
import { VIEW } from './review-item.ts';

function answer(state: ItemState, field: string, value: CellValue, typing: string | null = null): ItemState {
  return changeItem(state, { kind: 'answer', stop: { field, part: null }, value, typing });
}

test('what waits to be sent is shown on top of what the server has', () => {
  const view = { ...VIEW, cells: [{ field: 'kind', part: null, value: 'diet' }] };
  const state = openItem(view, [
    { kind: 'answer', cell: { field: 'kind', part: null, value: 'rest' } },
    { kind: 'answer', cell: { field: 'comment', part: null, value: 'late' } },
    { kind: 'commit' },
  ]);
  expect([valueOf(state.cells, 'kind', null), valueOf(state.cells, 'comment', null)]).toEqual(['rest', 'late']);
  expect(state.committed).toBe(true);
});

test('undo goes back one change at a time, down to no answer', () => {
  let state = answer(answer(openItem(VIEW, []), 'kind', 'diet'), 'kind', 'rest');
  state = changeItem(state, { kind: 'undo' });
  expect(valueOf(state.cells, 'kind', null)).toBe('diet');
  state = changeItem(state, { kind: 'undo' });
  expect(valueOf(state.cells, 'kind', null)).toBeNull();
  expect(changeItem(state, { kind: 'undo' })).toBe(state);
});

test('letters typed one after another are one change', () => {
  const typed = ['f', 'fi', 'fin', 'fine'].reduce(
    (state, text) => answer(state, 'comment', text, 'comment'),
    answer(openItem(VIEW, []), 'kind', 'diet'),
  );
  const undone = changeItem(typed, { kind: 'undo' });
  expect(valueOf(undone.cells, 'comment', null)).toBeNull();
  expect(valueOf(undone.cells, 'kind', null)).toBe('diet');
});

test('letters typed into a list are one change, apart from what was done to it before and after', () => {
  const list = (text: string, label: string | null) => [{ id: 's1', start: 0, end: 3, text, label, from: ['s1'] }];
  let state = answer(openItem(VIEW, []), 'claims', list('Eat', 'yes'));
  for (const text of ['Eat r', 'Eat ri']) state = answer(state, 'claims', list(text, 'yes'), 'first time');
  for (const text of ['Eat rice', 'Eat rice!']) state = answer(state, 'claims', list(text, 'yes'), 'second time');
  state = answer(state, 'claims', list('Eat rice!', 'no'));
  const undone: CellValue[] = [];
  while (state.past.length > 0) {
    state = changeItem(state, { kind: 'undo' });
    undone.push(valueOf(state.cells, 'claims', null));
  }
  expect(undone).toEqual([list('Eat rice!', 'yes'), list('Eat ri', 'yes'), list('Eat', 'yes'), null]);
});

test('letters typed after an undo are a change of their own', () => {
  const typed = ['fi', 'fine'].reduce((state, text) => answer(state, 'comment', text, 'comment'), openItem(VIEW, []));
  const again = answer(changeItem(typed, { kind: 'undo' }), 'comment', 'good', 'comment');
  expect(again.past).toEqual([{ field: 'comment', part: null, value: null }]);
});

test('why an answer was refused stays until there is another', () => {
  const stop = { field: 'kind', part: null };
  const refused = changeItem(openItem(VIEW, []), { kind: 'refused', stop, message: 'not an option' });
  expect(refused.faults).toEqual({ kind: 'not an option' });
  expect(answer(refused, 'kind', 'rest').faults).toEqual({});
});

test('committing shows what is revealed; a refusal leaves the item open and says why', () => {
  const done = changeItem(openItem(VIEW, []), { kind: 'committed', revealed: { system: 'alpha' } });
  expect([done.committed, done.revealed]).toEqual([true, { system: 'alpha' }]);
  const kept = changeItem(openItem(VIEW, []), { kind: 'kept', committed: false, trouble: 'It is final.' });
  expect([kept.committed, kept.trouble]).toEqual([false, 'It is final.']);
});
