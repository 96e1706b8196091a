import { describe, expect, test } from 'vitest';

import { type Attribute, attributeJudge } from '../../src/judge/attributes.ts';
import { entity, object } from '../pair/items.ts';
import { hit, missed } from './verdicts.ts';

function attribute(init: Partial<Attribute> = {}): Attribute {
  return {
    name: 'a',
    field: 'a',
    labels: [],
    kind: null,
    missing: null,
    normalise: [],
    equivalent: [],
    acceptable: null,
    ...init,
  };
}

/** Right, wrong, or not judged. */
function judged(init: Partial<Attribute>, gold: object, predicted: object): boolean | undefined {
  const judge = attributeJudge([attribute(init)]);
  return judge([hit(object('food', 'x', { ...gold }), object('food', 'x', { ...predicted }))])[0]?.attributes?.['a'];
}

describe('an attribute', () => {
  test.each([
    [{}, { a: 'low' }, { a: 'low' }, true],
    [{}, { a: 'low' }, { a: 'Low' }, false],
    [{ normalise: ['lower'] }, { a: 'low' }, { a: 'Low' }, true],
    [{}, { a: 'unknown' }, { a: 'low' }, false],
    [{}, { a: 'unknown' }, { a: 'unknown' }, true],
    // One side has it, the other does not.
    [{}, { a: 'low' }, {}, false],
    [{}, {}, { a: 'low' }, false],
    // Neither has it: there is nothing to judge, unless something stands in for it.
    [{}, {}, {}, undefined],
    [{}, { a: '' }, { a: null }, undefined],
    [{ missing: 'unknown' }, {}, {}, true],
    [{ missing: 'unknown' }, { a: 'unknown' }, {}, true],
    [{ missing: 'unknown' }, {}, { a: 'low' }, false],
    // Numbers and lists are compared by what they hold.
    [{}, { a: 3 }, { a: 3 }, true],
    [{}, { a: [1, 2] }, { a: [1, 2] }, true],
    [{ equivalent: [['City', 'Town']], normalise: ['lower'] }, { a: 'CITY' }, { a: 'town' }, true],
    [{ equivalent: [['City', 'Town'], ['River']] }, { a: 'City' }, { a: 'River' }, false],
    [{ acceptable: 'also' }, { a: 'x', also: ['y', 'z'] }, { a: 'z' }, true],
    [{ acceptable: 'also' }, { a: 'x', also: 'y' }, { a: 'y' }, true],
    [{ acceptable: 'also' }, { a: 'x', also: ['y'] }, { a: 'q' }, false],
    [{ acceptable: 'also' }, { a: 'x' }, { a: 'z', also: ['x'] }, false],
  ] as [Partial<Attribute>, object, object, boolean | undefined][])(
    '%j: gold %j, predicted %j is %s',
    (init, gold, predicted, expected) => {
      expect(judged(init, gold, predicted)).toBe(expected);
    },
  );

  test('applies to some labels of gold, or to one kind of item', () => {
    const judge = attributeJudge([
      attribute({ labels: ['mind'] }),
      attribute({ name: 'b', kind: 'entity', field: 'label' }),
    ]);
    expect(judge([hit(object('food', 'x', { a: 1 }), object('food', 'x', { a: 1 }))])[0]?.attributes).toBeNull();
    expect(judge([hit(object('mind', 'x', { a: 1 }), object('food', 'x', { a: 1 }))])[0]?.attributes).toEqual({
      a: true,
    });
    expect(judge([hit(entity('x', 'City'), entity('x', 'Town'))])[0]?.attributes).toEqual({ b: false });
  });

  test('is judged for hits only', () => {
    const verdicts = [missed(object('food', 'x', { a: 1 }))];
    expect(attributeJudge([attribute()])(verdicts)).toEqual(verdicts);
    expect(attributeJudge([])(verdicts)).toBe(verdicts);
  });
});
