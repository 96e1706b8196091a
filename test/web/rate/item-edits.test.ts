import { expect, test } from 'vitest';

import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { labelledItems } from '../../../web/src/rate/cells.ts';
import {
  addItem,
  editItem,
  labelItem,
  mergeWithNext,
  relabelItem,
  removeItem,
  resizeItem,
  splitItem,
  typeItem,
} from '../../../web/src/rate/item-edits.ts';
import { CONTENT, TEXT } from './review-item.ts';

const LIST = labelledItems(CONTENT, [], 'claims');

test('what was proposed is not labelled, and says what it is made of', () => {
  expect(LIST[0]).toEqual({ id: 's1', start: 0, end: 19, text: 'Eat rice and sleep.', label: null, from: ['s1'] });
});

const LABELS = {
  labels: {
    right: { title: 'Right', help: '', gold: 'keep' },
    wrong_label: { title: 'Wrong label', help: '', gold: 'relabel' },
    wrong_boundary: { title: 'Wrong boundary', help: '', gold: 'resize' },
    not: { title: 'Not one', help: '', gold: 'drop' },
    missing: { title: 'Missing', help: '', gold: 'add' },
  },
} as const;

test('a correction labels the thing as what was wrong with it, unless it was rejected, and back again', () => {
  const kindAndLabel = (list: readonly ItemAnswer[]) => list.slice(0, 1).map(({ kind, label }) => [kind, label]);
  const relabelled = relabelItem(labelItem(LIST, 's1', 'right'), 's1', 'ORG', LABELS);
  expect(kindAndLabel(relabelled)).toEqual([['ORG', 'wrong_label']]);
  expect(kindAndLabel(relabelItem(relabelled, 's1', null, LABELS))).toEqual([[undefined, null]]);
  expect(kindAndLabel(relabelItem(labelItem(LIST, 's1', 'not'), 's1', 'ORG', LABELS))).toEqual([['ORG', 'not']]);
  expect(kindAndLabel(relabelItem(LIST, 's1', 'ORG', { labels: {} }))).toEqual([['ORG', null]]);
  const [first] = CONTENT.proposed['claims'] ?? [];
  const shorter = resizeItem(relabelled, 's1', { start: 4, end: 8 }, TEXT, first ?? null, LABELS);
  expect(shorter[0]).toMatchObject({ start: 4, end: 8, text: 'rice', kind: 'ORG', label: 'wrong_label' });
  expect(resizeItem(LIST, 's1', { start: 4, end: 8 }, TEXT, first ?? null, LABELS)[0]?.label).toBe('wrong_boundary');
  expect(resizeItem(shorter, 's1', { start: 0, end: 19 }, TEXT, first ?? null, LABELS)[0]).toMatchObject({
    text: 'Eat rice and sleep.',
    label: 'wrong_label',
  });
});

test('what is added has the label for that', () => {
  expect(addItem(LIST, { text: 'rice', start: 4 }, TEXT, LABELS).list.find(({ from }) => from.length === 0)).toEqual({
    id: 'added-2',
    start: 4,
    end: 8,
    text: 'rice',
    label: 'missing',
    from: [],
  });
});

test('a split gives two claims with places of their own, neither of them labelled', () => {
  const labelled = labelItem(LIST, 's1', 'yes');
  expect(splitItem(labelled, 's1', 9, TEXT).slice(0, 2)).toEqual([
    { id: 's1', start: 0, end: 8, text: 'Eat rice', label: null, from: ['s1'] },
    { id: 's1-2', start: 9, end: 19, text: 'and sleep.', label: null, from: ['s1'] },
  ]);
});

test('splitting again does not use an id twice', () => {
  const twice = splitItem(splitItem(LIST, 's1', 9, TEXT), 's1', 4, TEXT);
  expect(twice.map(({ id, text }) => `${id} ${text}`)).toEqual([
    's1 Eat',
    's1-3 rice',
    's1-2 and sleep.',
    's2 Drink water.',
  ]);
});

test('where words were mended, the place is cut at the word that lies about as far along', () => {
  const mended = editItem(LIST, 's1', 'One should eat rice; one should sleep');
  const [first, second] = splitItem(mended, 's1', 21, TEXT);
  expect([first?.text, second?.text]).toEqual(['One should eat rice;', 'one should sleep']);
  // 21 of 37 characters are 10.8 of 19; the words of the text begin at 4, 9 and 13.
  expect([first?.start, first?.end, second?.start, second?.end]).toEqual([0, 8, 9, 19]);
});

test('cutting off nothing changes nothing', () => {
  expect(splitItem(LIST, 's1', 0, TEXT)).toEqual(LIST);
  expect(splitItem(LIST, 's1', 19, TEXT)).toEqual(LIST);
});

test('two claims that follow each other merge to the text as it was written', () => {
  expect(mergeWithNext(LIST, 's1', TEXT)).toEqual([
    { id: 's1', start: 0, end: 32, text: TEXT, label: null, from: ['s1', 's2'] },
  ]);
});

test('a merge keeps a label that both have, and no other', () => {
  const both = labelItem(labelItem(LIST, 's1', 'yes'), 's2', 'yes');
  expect(mergeWithNext(both, 's1', TEXT)[0]?.label).toBe('yes');
  expect(mergeWithNext(labelItem(both, 's2', 'no'), 's1', TEXT)[0]?.label).toBeNull();
});

test('merging what was split gives back the claim', () => {
  expect(mergeWithNext(splitItem(LIST, 's1', 9, TEXT), 's1', TEXT)).toEqual(LIST);
});

test('the last claim has no next to merge with', () => {
  expect(mergeWithNext(LIST, 's2', TEXT)).toEqual(LIST);
});

test('mended words keep place and label; nothing but white space is no mending', () => {
  const labelled = labelItem(LIST, 's2', 'no');
  expect(editItem(labelled, 's2', ' Drink hot water. ')[1]).toEqual({
    id: 's2',
    start: 20,
    end: 32,
    text: 'Drink hot water.',
    label: 'no',
    from: ['s2'],
  });
  expect(editItem(labelled, 's2', '  ')).toEqual(labelled);
});

test('words that are typed hold letter by letter, and while there are none those from before stand', () => {
  const words = ['Drink w', 'Drink ', 'D', '', ' ', 'Sip'].reduce<{ list: typeof LIST; seen: string[] }>(
    ({ list, seen }, text) => {
      const after = typeItem(list, 's2', text, 'Drink water.');
      return { list: after, seen: [...seen, after[1]?.text ?? ''] };
    },
    { list: LIST, seen: [] },
  );
  expect(words.seen).toEqual(['Drink w', 'Drink', 'D', 'Drink water.', 'Drink water.', 'Sip']);
});

test('selected words are added in the order of the text, with their place', () => {
  const { list, id } = addItem(LIST, { text: ' rice ', start: 3 }, TEXT);
  expect(list[1]).toEqual({ id, start: 4, end: 8, text: 'rice', label: null, from: [] });
  expect(list.map((item) => item.start)).toEqual([0, 4, 20]);
});

test('typed words have a place where the text has them once, and none where it has them twice or not at all', () => {
  expect(addItem(LIST, { text: 'water', start: null }, TEXT).list.at(-1)).toMatchObject({ start: 26, end: 31 });
  expect(addItem(LIST, { text: 'e', start: null }, TEXT).list.at(-1)).toMatchObject({ start: -1, end: -1 });
  expect(addItem(LIST, { text: 'tea', start: null }, TEXT).list.at(-1)).toMatchObject({ start: -1, end: -1 });
  expect(addItem(LIST, { text: ' ', start: null }, TEXT)).toEqual({ list: LIST, id: null });
});

test('what is removed is gone from the list', () => {
  expect(removeItem(LIST, 's1').map(({ id }) => id)).toEqual(['s2']);
});
