import { describe, expect, test } from 'vitest';

import { type Item, makeItem } from '../../src/data/item.ts';

import { caseOf, entity, object, quoted, relationship, span } from '../pair/items.ts';
import { prepare } from './prepare.ts';

/* Rules that change items and take none out. */

describe('ground', () => {
  const text = 'no pain today, pain tomorrow';
  const given = caseOf({
    text,
    gold: [object('s', 'pain')],
    predicted: [
      object('s', 'pain tomorrow', { polarity: 'present' }),
      object('s', 'Pain', { polarity: 'present' }),
      object('s', ''),
    ],
  });

  test('a non-empty verbatim quote gets its place: the first one', () => {
    const out = prepare('ground', {}, given);
    expect(out.gold[0]).toMatchObject({ grounded: true, start: 3, end: 7 });
    expect(out.predicted.map(({ grounded, start }) => [grounded, start])).toEqual([
      [true, 15],
      [false, -1],
      [false, -1],
    ]);
  });

  test('uncertain changes a field of ungrounded predictions only', () => {
    const out = prepare('ground', { ungrounded: 'uncertain' }, given);
    expect(out.predicted.map(({ fields }) => fields['polarity'])).toEqual(['present', 'uncertain', 'uncertain']);
    const lost = caseOf({ text, gold: [object('s', 'nowhere', { polarity: 'present' })] });
    expect(prepare('ground', { ungrounded: 'uncertain' }, lost).gold[0]?.fields['polarity']).toBe('present');
    const other = prepare('ground', { ungrounded: 'uncertain', field: 'status', value: '?' }, given);
    expect(other.predicted[1]?.fields).toEqual({ polarity: 'present', status: '?' });
  });

  test('drop sets ungrounded predictions aside; ungrounded gold stays', () => {
    const strange = caseOf({ text, gold: [object('s', 'nowhere')], predicted: [object('s', 'nowhere')] });
    const out = prepare('ground', { ungrounded: 'drop' }, strange);
    expect([out.gold.length, out.predicted.length, out.setAside.length]).toEqual([1, 0, 1]);
  });

  test('without a text nothing can be looked up', () => {
    const none = caseOf({ predicted: [object('s', 'x')] });
    expect(prepare('ground', { ungrounded: 'drop' }, none)).toBe(none);
  });
});

describe('relabel', () => {
  const given = caseOf({ gold: [span(0, 1, 'A')], predicted: [span(0, 1, 'A'), span(1, 2, 'B')] });

  test('translates the labels it names, on the side it names', () => {
    const out = prepare('relabel', { map: { A: 'X' } }, given);
    expect(out.predicted.map(({ label, was }) => [label, was])).toEqual([
      ['X', 'A'],
      ['B', undefined],
    ]);
    expect(out.gold[0]?.label).toBe('A');
    expect(prepare('relabel', { map: { A: 'X' }, side: 'both' }, given).gold[0]?.label).toBe('X');
  });

  test('mends broken UTF-8 first where it is told to', () => {
    const broken = caseOf({ predicted: [span(0, 1, 'hÃ¸jesteret')] });
    expect(prepare('relabel', { map: { højesteret: 'COURT' } }, broken).predicted[0]?.label).toBe('hÃ¸jesteret');
    expect(prepare('relabel', { map: { højesteret: 'COURT' }, mojibake: 'repair' }, broken).predicted[0]?.label).toBe(
      'COURT',
    );
  });

  test('a class has its new label as its text, which is what is compared', () => {
    const classes = caseOf({ predicted: [makeItem({ kind: 'class', index: 0, label: 'A', text: 'A' })] });
    expect(prepare('relabel', { map: { A: 'X' } }, classes).predicted[0]).toMatchObject({ label: 'X', text: 'X' });
  });

  test('a label that every object has is a label like any other', () => {
    const odd = caseOf({ predicted: [span(0, 1, 'constructor')] });
    expect(prepare('relabel', { map: { A: 'X' } }, odd).predicted[0]?.label).toBe('constructor');
  });
});

describe('trim', () => {
  const text = ' Ann  \u00a0';

  test('takes white space off both ends; the place moves with it', () => {
    const out = prepare('trim', {}, caseOf({ text, predicted: [span(0, 6), span(1, 4), span(4, 7)] }));
    expect(out.predicted.map(({ start, end, text: own }) => [start, end, own])).toEqual([
      [1, 4, 'Ann'],
      [1, 4, 'Ann'],
      [4, 7, '  \u00a0'],
    ]);
  });

  test('looks at the document, not at what an item says of itself', () => {
    const strung = { ...quoted(text, ' Ann', 'P'), text: 'Ann' };
    expect(prepare('trim', {}, caseOf({ text, predicted: [strung] })).predicted[0]).toMatchObject({ start: 1, end: 4 });
  });
});

describe('resolve-refs', () => {
  const entities = [
    entity('Ann', 'Person', { temp_id: 'e1' }),
    entity('BOB', 'Person', { temp_id: 'e2' }),
    entity('e1', 'Robot', { temp_id: 'e3' }),
  ];
  const ends = (source: string, target: string, params: object = {}): unknown => {
    const given = caseOf({ predicted: [...entities, relationship(source, 'knows', target)] });
    const out = prepare('resolve-refs', params, given);
    const found = out.predicted.find(({ kind }) => kind === 'relationship') ?? out.setAside[0]?.item;
    return [found?.source, found?.target, found?.unresolved];
  };

  test('an id goes before a name, and a name is compared as names are', () => {
    expect(ends('e1', 'e2')).toEqual(['Ann', 'BOB', undefined]);
    expect(ends('ann', ' bob ')).toEqual(['Ann', 'BOB', undefined]);
    expect(ends('e3', 'Ann')).toEqual(['e1', 'Ann', undefined]);
  });

  test('what resolves to nothing is named', () => {
    expect(ends('e9', 'Zed', { unresolved: 'spurious' })).toEqual([null, null, ['e9', 'Zed']]);
    expect(ends('e9', 'Zed')).toEqual(['e9', 'Zed', ['e9', 'Zed']]);
    expect(ends('e9', 'Ann', { unresolved: 'leave-out' })).toEqual([null, 'Ann', ['e9']]);
  });

  test('of spellings that are one name, the one that was written; else the first by content', () => {
    const predicted = [entity('ROME'), entity('Rome'), relationship('Rome', 'near', 'rome')];
    for (const order of [predicted, [predicted[1]!, predicted[0]!, predicted[2]!]]) {
      const out = prepare('resolve-refs', {}, caseOf({ predicted: order }));
      expect(out.predicted[2]).toMatchObject({ source: 'Rome', target: 'ROME' });
    }
  });

  test('an end that gold speaks of is a name, though no extracted entity has it; so is any where nobody has entities', () => {
    const knows = relationship('Ann', 'knows', 'Zed');
    const unresolved = (gold: Item[], predicted: Item[]): unknown =>
      prepare('resolve-refs', {}, caseOf({ gold, predicted })).predicted.at(-1)?.unresolved;
    expect(unresolved([relationship('zed', 'owns', 'ANN')], [entity('Bo'), knows])).toBeUndefined();
    expect(unresolved([entity('Zed')], [knows])).toEqual(['Ann']);
    expect(unresolved([], [knows])).toBeUndefined();
  });

  test('gold has names already, or ids of its own entities', () => {
    const own = [entity('Ann', 'Person', { temp_id: 'g1' }), relationship('g1', 'knows', 'None')];
    expect(prepare('resolve-refs', {}, caseOf({ gold: own })).gold[1]).toMatchObject({
      source: 'Ann',
      target: 'None',
      text: 'Ann --knows--> None',
    });
    const gold = [relationship('Nobody', 'knows', 'None')];
    expect(prepare('resolve-refs', {}, caseOf({ gold })).gold[0]).toMatchObject({ source: 'Nobody', target: 'None' });
  });
});
