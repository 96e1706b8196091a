import { describe, expect, test } from 'vitest';

import { type Item, makeItem } from '../../src/data/item.ts';
import { idOfEntity, placedRelationships } from '../../src/prepare/place-ends.ts';
import { offsetMap } from '../../src/text/offsets.ts';
import { caseOf, relationship } from '../pair/items.ts';

function mention(id: string, text: string, start: number, label = 'PER'): Item {
  return makeItem({ kind: 'entity', index: 0, label, text, start, end: start + text.length, fields: { id } });
}

describe('placedRelationships', () => {
  const ann = mention('e1', 'Ann', 0);
  const other = mention('e2', 'Ann', 8);

  test('gives both ends of a relationship their place and type, and its text shows them', () => {
    const given = caseOf({ predicted: [ann, other, relationship('e1', 'meets', 'e2')] });
    const { predicted } = placedRelationships(given, ['id'], 'resolve-refs');
    expect(predicted[2]).toMatchObject({
      source: 'Ann',
      target: 'Ann',
      text: 'Ann [0–3] --meets--> Ann [8–11]',
      ends: { source: { start: 0, end: 3, label: 'PER' }, target: { start: 8, end: 11, label: 'PER' } },
    });
    expect(predicted[2]).not.toHaveProperty('unresolved');
  });

  test('shows places as the files count them, and keeps them in UTF-16', () => {
    const text = '😀 Ann met Bo';
    const [first, second] = [mention('a', 'Ann', 3), mention('b', 'Bo', 11)];
    const given = caseOf({ text, predicted: [first, second, relationship('a', 'met', 'b')] });
    const { predicted } = placedRelationships(
      { ...given, offsets: offsetMap(text, 'codepoint') },
      ['id'],
      'resolve-refs',
    );
    expect(predicted[2]?.text).toBe('Ann [2–5] --met--> Bo [10–12]');
    expect(predicted[2]?.ends?.source).toEqual({ start: 3, end: 6, label: 'PER' });
  });

  test('an id goes before a name, and a mention that is listed twice is one', () => {
    // The second entity is called what the first has as its id.
    const given = caseOf({ predicted: [ann, mention('x', 'e1', 20), ann, relationship('e1', 'is', 'Ann')] });
    const [, , , made] = placedRelationships(given, ['id'], 'resolve-refs').predicted;
    expect([made?.ends?.source?.start, made?.ends?.target?.start]).toEqual([0, 0]);
  });

  test('a prediction with a name that two mentions have, or one without a place, has no place there', () => {
    const lost = { ...mention('e3', 'Bo', 12), start: -1, end: -1 };
    const given = caseOf({ predicted: [ann, other, lost, relationship('Ann', 'meets', 'e3')] });
    const [, , , made] = placedRelationships(given, ['id'], 'resolve-refs').predicted;
    expect(made).toMatchObject({ text: 'Ann --meets--> Bo', ends: { source: null, target: null } });
  });
});

test('the id of an entity is the first of the fields that is there', () => {
  const entity = { ...mention('e1', 'Ann', 0), fields: { temp_id: 't1', id: 'e1', n: 7 } };
  expect(idOfEntity(entity, ['temp_id', 'id'])).toBe('t1');
  expect(idOfEntity(entity, ['none', 'id'])).toBe('e1');
  expect(idOfEntity(entity, ['n'])).toBeNull();
  expect(idOfEntity(relationship('a', 'b', 'c'), ['id'])).toBeNull();
});
