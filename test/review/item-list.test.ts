import { describe, expect, it } from 'vitest';

import { type ItemsField, reviewField } from '../../src/recipe/review-section.ts';
import { itemsFault } from '../../src/review/item-list.ts';
import type { ItemAnswer } from '../../src/store/review-records.ts';
import { addItem, editItem, mergeWithNext, removeItem, splitItem } from '../../web/src/rate/item-edits.ts';

const UNDER = 'Water it daily. Feed it in June.  Cut it back in March, and mulch it.';
const PROPOSED = [
  { id: 's1', start: 0, end: 15, text: 'Water it daily.' },
  { id: 's2', start: 16, end: 32, text: 'Feed it in June.' },
  { id: 's3', start: 34, end: 69, text: 'Cut it back in March, and mulch it.' },
];
const START: readonly ItemAnswer[] = PROPOSED.map((one) => ({ ...one, label: 'yes', from: [one.id] }));
const ALL = ['edit', 'split', 'merge', 'add', 'remove'] as const;

function fieldWith(...allow: readonly ItemsField['allow'][number][]): ItemsField {
  const field = reviewField.parse({ type: 'items', title: 'T', from: 'sentences', labels: { yes: 'Yes' }, allow });
  if (field.type !== 'items') throw new Error('not of things');
  return field;
}

const faultIn = (answers: readonly ItemAnswer[], ...allow: readonly ItemsField['allow'][number][]): string | null =>
  itemsFault(fieldWith(...allow), { proposed: PROPOSED, under: UNDER }, answers);

const thing = (own: Partial<ItemAnswer>): ItemAnswer => ({ ...START[0]!, id: 'x', ...own });

describe('a list of labelled things', () => {
  it('is possible as it was proposed, whatever the form allows, and with the white space of other programs', () => {
    expect(faultIn(START)).toBeNull();
    expect(faultIn(START, ...ALL)).toBeNull();
    expect(faultIn(START.map((one) => ({ ...one, text: ` ${one.text.replaceAll(' ', '\n')}` })))).toBeNull();
    expect(itemsFault(fieldWith(), { proposed: [], under: null }, [])).toBeNull();
  });

  it('may have other boundaries where the form lets them be moved, each thing once and with the words of its place', () => {
    const at = (start: number, end: number, more: Partial<ItemAnswer> = {}): ItemAnswer[] => [
      { ...START[0]!, start, end, text: UNDER.slice(start, end), ...more },
      ...START.slice(1),
    ];
    for (const list of [at(0, 5), at(0, 24), at(26, 32)]) expect(faultIn(list, 'resize')).toBeNull();
    expect(faultIn(at(0, 5))).toBe('entry 1: it is a part of "s1", and the form does not let any be split');
    expect(faultIn(at(0, 24))).toBe('entry 1: its place 0-24 is not that of what it was made of');
    expect(faultIn(at(0, 5, { text: 'Wine' }), 'resize')).toBe(
      'entry 1: its words are not those of the text, and the form does not let them be edited',
    );
    expect(faultIn([...at(0, 5), thing({ start: 6, end: 15, text: 'it daily.' })], 'resize')).toContain(
      'are both made of "s1"',
    );
    const family = { proposed: [{ id: 's1', start: 0, end: 1, text: 'a' }], under: 'a👩b' };
    const half = { ...START[0]!, start: 0, end: 2, text: 'a\ud83d' };
    expect(itemsFault(fieldWith('resize'), family, [half])).toBe('entry 1: its place 0-2 cuts a character in two');
    expect(itemsFault(fieldWith('resize'), family, [{ ...half, end: 3, text: 'a👩' }])).toBeNull();
  });

  it('is possible as the app makes it, where the form allows it, and not where it does not', () => {
    const consult = ['edit', 'split', 'merge', 'remove'] as const;
    const split = splitItem(START, 's3', 21, UNDER);
    const removed = removeItem(START, 's2');
    const merged = mergeWithNext(START, 's1', UNDER);
    const overGap = mergeWithNext(removed, 's1', UNDER);
    const edited = editItem(START, 's1', 'The plant wants water every day.');
    const added = addItem(START, { text: 'mulch it', start: 60 }, UNDER).list;
    const elsewhere = addItem(START, { text: 'Read the label.', start: null }, UNDER).list;
    expect(split).toHaveLength(4);
    for (const list of [split, removed, merged, overGap, edited]) expect(faultIn(list, ...consult)).toBeNull();
    for (const list of [added, elsewhere]) expect(faultIn(list, 'add')).toBeNull();
    expect([faultIn(split, 'split'), faultIn(merged, 'merge'), faultIn(overGap, 'merge', 'remove')]).toEqual([
      null,
      null,
      null,
    ]);
    const without = (act: (typeof ALL)[number]) => ALL.filter((one) => one !== act && one !== 'add');
    expect(faultIn(edited, ...without('edit'))).toBe(
      'entry 1: its words are not those of the text, and the form does not let them be edited',
    );
    expect(faultIn(split, ...without('split'))).toBe(
      'entry 3: it is a part of "s3", and the form does not let any be split',
    );
    expect(faultIn(merged, ...without('merge'))).toBe(
      'entry 1: it was made of several, and the form does not let them merge',
    );
    expect(faultIn(removed, ...without('remove'))).toBe(
      '"s2" is not there, or not whole: "Feed it in June."; the form does not let any be removed',
    );
    expect(faultIn(elsewhere, ...consult)).toBe(
      'entry 4: it was made of nothing that was proposed, and the form does not let any be added',
    );
    // Also within s3: to split it is to say so.
    for (const allow of [consult, ['edit'] as const])
      expect(faultIn(added, ...allow)).toBe(
        'entry 4: it was made of nothing that was proposed, and the form does not let any be added',
      );
  });

  it('is possible after several changes on top of each other', () => {
    // s3 is edited, then split; s1 is split, its first half goes, the second is merged with s2.
    const mended = splitItem(editItem(START, 's3', 'Prune in March and mulch the bed.'), 's3', 14, UNDER);
    const [first] = splitItem(mended, 's1', 8, UNDER);
    const rest = removeItem(splitItem(mended, 's1', 8, UNDER), first!.id);
    const whole = mergeWithNext(rest, rest[0]!.id, UNDER);
    expect(whole.map(({ text }) => text)).toEqual(['daily. Feed it in June.', 'Prune in March', 'and mulch the bed.']);
    expect(faultIn(whole, 'edit', 'split', 'merge', 'remove')).toBeNull();
  });
});

describe('what was not proposed', () => {
  it.each([
    ['of nothing, nowhere', { from: [], start: -1, end: -1 }],
    ['of nothing, between what was proposed', { from: [], start: 32, end: 34, text: '  x' }],
    ['of nothing, beyond what was proposed', { from: [], start: 16, end: 34 }],
    ['of nothing, where something was proposed', { from: [], start: 0, end: 5, text: 'wholly new claim' }],
  ])('is refused without add: %s', (_, own) => {
    expect(faultIn([...START, thing(own)], 'edit', 'split', 'merge', 'remove')).toMatch(
      /^entry 4: it was made of nothing that was proposed/,
    );
  });

  it('is refused also with add if it was made of something', () => {
    expect(faultIn([thing({ from: ['nope'] })], ...ALL)).toBe('entry 1: it was made of "nope", which was not proposed');
    expect(faultIn([thing({ from: ['s1', '__proto__'] })], ...ALL)).toContain('"__proto__", which was not proposed');
  });

  it('is refused without add where it lies elsewhere than what it was made of', () => {
    expect(faultIn([thing({ from: ['s1'], start: 16, end: 32 })], 'edit', 'split', 'remove')).toBe(
      'entry 1: its place 16-32 is not that of what it was made of',
    );
    expect(faultIn([thing({ from: ['s1'], start: 6, end: 14, text: 'it daily' })], 'split', 'remove')).toBeNull();
  });

  it('is refused in other words than those of its place, unless words may be edited', () => {
    const other = thing({ from: [], start: 60, end: 68, text: 'drown it' });
    expect(faultIn([...START, other], 'add')).toContain('its words are not those of the text');
    expect(faultIn([...START, other], 'add', 'edit')).toBeNull();
  });
});

describe('the same thing twice', () => {
  it('is refused, also 2,000 times, by the same place or by the proposed thing it is said to be of', () => {
    const copies = Array.from({ length: 2000 }, (_, at) => ({ ...START[0]!, id: `c${at}` }));
    expect(faultIn([...copies], 'edit', 'split', 'merge', 'remove')).toBe(
      'entries 1 and 2 have the same place and words: "Water it daily."',
    );
    const nowhere = thing({ start: -1, end: -1, text: ' Water  it daily.' });
    expect(faultIn([START[0]!, nowhere], ...ALL)).toContain('entries 1 and 2 have the same place and words');
    const added = thing({ from: [], start: -1, end: -1, text: 'New' });
    expect(faultIn([...START, added, { ...added, id: 'y' }], ...ALL)).toContain('entries 4 and 5');
  });

  it('is no fault where two were proposed alike', () => {
    const proposed = ['p1', 'p2'].map((id) => ({ id, start: -1, end: -1, text: 'Ada knows Bob' }));
    const answers = proposed.map((one) => ({ ...one, label: null, from: [one.id] }));
    expect(itemsFault(fieldWith(), { proposed, under: null }, answers)).toBeNull();
    const third = { ...answers[0]!, id: 'p3' };
    expect(itemsFault(fieldWith(...ALL), { proposed, under: null }, [...answers, third])).toContain('entries 1 and 3');
  });
});

describe('the pieces of a proposed thing', () => {
  const consult = ['edit', 'split', 'merge', 'remove'] as const;
  const piece = (start: number, end: number, text = UNDER.slice(start, end), from = ['s1']): ItemAnswer =>
    thing({ id: `p${start}-${end}-${text}`, start, end, text, from });

  it('do not stand beside the whole, at any place or none, once or a hundred times', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => piece(0, 5, `claim ${at}`));
    expect(faultIn([...START, ...hundred], ...consult)).toBe(
      'entry 4: it was made of "s1", which is there uncut as entry 1',
    );
    expect(faultIn([...START, piece(6, 14)], ...consult)).toContain('which is there uncut as entry 1');
    expect(faultIn([...START, piece(-1, -1, 'Water')], ...consult)).toContain('which is there uncut as entry 1');
    // In other words the whole still lies under its piece.
    const [first, ...rest] = editItem(START, 's1', 'The plant wants water.');
    expect(faultIn([first!, piece(0, 5), ...rest], ...consult)).toBe(
      'entries 1 and 2 overlap, and both were made of "s1"',
    );
  });

  it('do not overlap each other, also where one was merged with the next', () => {
    expect(faultIn([piece(0, 8), piece(6, 15)], ...consult)).toBe(
      'entries 1 and 2 overlap, and both were made of "s1"',
    );
    const merged = piece(6, 32, undefined, ['s1', 's2']);
    expect(faultIn([piece(0, 5), merged], ...consult)).toBeNull();
    expect(faultIn([piece(0, 8), merged], ...consult)).toBe('entries 1 and 2 overlap, and both were made of "s1"');
    const hundred = Array.from({ length: 100 }, (_, at) => piece(0, 8, `claim ${at}`));
    expect(faultIn(hundred, ...consult)).toBe('entries 1 and 2 overlap, and both were made of "s1"');
  });

  it('have one place where the app could not cut it: a word that was worded in several', () => {
    const proposed = [{ id: 's1', start: 0, end: 6, text: 'Rest.x' }];
    const start = proposed.map((one) => ({ ...one, label: null, from: [one.id] }));
    const split = splitItem(editItem(start, 's1', 'Lie down and sleep'), 's1', 9, 'Rest.x');
    expect(split.map(({ start: from, end, text }) => [from, end, text])).toEqual([
      [0, 6, 'Lie down'],
      [0, 6, 'and sleep'],
    ]);
    expect(itemsFault(fieldWith(...consult), { proposed, under: 'Rest.x' }, split)).toBeNull();
  });

  it('may overlap where what was proposed does: one within another, merged with a piece of it', () => {
    const under = 'Ada Lovelace of London';
    const proposed = [
      { id: 'p1', start: 0, end: 22, text: under },
      { id: 'p2', start: 4, end: 12, text: 'Lovelace' },
    ];
    const start = proposed.map((one) => ({ ...one, label: null, from: [one.id] }));
    // p1 is cut into 0-12 and 13-22, and the second is merged with p2, which begins before it.
    const cut = splitItem(start, 'p1', 13, under);
    const list = mergeWithNext(cut, cut[1]!.id, under);
    expect(list.map(({ start: from, end }) => [from, end])).toEqual([
      [0, 12],
      [4, 22],
    ]);
    expect(itemsFault(fieldWith(...consult), { proposed, under }, list)).toBeNull();
  });

  it('are free where things may be added', () => {
    expect(faultIn([...START, piece(0, 5)], ...ALL)).toBeNull();
  });
});

describe('without removing', () => {
  it('a thing that was split has to be there with all its pieces', () => {
    const split = splitItem(START, 's3', 21, UNDER);
    expect(faultIn(split, 'split')).toBeNull();
    expect(faultIn(split.slice(0, 3), 'split')).toMatch(/^"s3" is not there, or not whole/);
    expect(faultIn([], 'split')).toMatch(/^"s1" is not there/);
  });
});

describe('without splitting', () => {
  it('no two are made of one', () => {
    const two = [...START.slice(1), thing({}), thing({ id: 'y', text: 'Water', start: -1, end: -1 })];
    expect(faultIn(two, 'edit', 'merge', 'remove')).toBe(
      'entries 3 and 4 are both made of "s1", and the form does not let any be split',
    );
  });
});

describe('words that people write', () => {
  it('are as possible as in any other answer; what stands in the text is', () => {
    expect(faultIn(editItem(START, 's1', 'Water\u0000 it'), 'edit')).toContain('control character');
    expect(faultIn(editItem(START, 's1', 'Water \ud800'), 'edit')).toContain('half a character');
    const under = 'A\u0007b c.';
    const proposed = [{ id: 's1', start: 0, end: 6, text: under }];
    const kept = [{ ...proposed[0]!, label: 'yes', from: ['s1'] }];
    expect(itemsFault(fieldWith('edit'), { proposed, under }, kept)).toBeNull();
  });
});
