import { describe, expect, test } from 'vitest';

import { mergeRecipe } from '../../src/recipe/merge-recipe.ts';

describe('mergeRecipe', () => {
  test.each([
    ['sections merge key by key', { a: { x: 1, y: 2 } }, { a: { y: 3 } }, { a: { x: 1, y: 3 } }],
    ['lists and single values are replaced', { a: [1, 2], b: 1 }, { a: [3], b: 2 }, { a: [3], b: 2 }],
    ['a plus adds to the list below', { a: [1] }, { 'a+': [2, 3] }, { a: [1, 2, 3] }],
    ['one value can be added, too', { a: [1] }, { 'a+': 2 }, { a: [1, 2] }],
    ['a plus with nothing below makes the list', {}, { a: { 'b+': [1] } }, { a: { b: [1] } }],
    ['off takes the place of what was there', { a: { x: { k: 1 } } }, { a: { x: 'off' } }, { a: { x: 'off' } }],
    ['false is off', { a: { x: { k: 1 } } }, { a: { x: false } }, { a: { x: false } }],
    ['on keeps what was there', { a: { x: { k: 1 } } }, { a: { x: 'on' } }, { a: { x: { k: 1 } } }],
    ['and so does nothing after the colon', { a: { x: { k: 1 } } }, { a: { x: null } }, { a: { x: { k: 1 } } }],
    ['where nothing was, it stays for the section to read', { a: {} }, { a: { x: null } }, { a: { x: null } }],
    ['a value can be null', { a: { x: 'gold' } }, { a: { x: null } }, { a: { x: null } }],
    [
      'a threshold by label keeps the number for the others',
      { threshold: 0.5 },
      { threshold: { LOC: 0.3 } },
      { threshold: { default: 0.5, LOC: 0.3 } },
    ],
    [
      'measures by name are laid over a list',
      { measure: ['a', 'b'] },
      { measure: { b: 'off', c: {} } },
      { measure: { a: {}, b: 'off', c: {} } },
    ],
    ['a list of measures replaces', { measure: { a: {} } }, { measure: ['b'] }, { measure: ['b'] }],
    ['measures are added to either form', { measure: { a: {} } }, { 'measure+': ['b'] }, { measure: { a: {}, b: {} } }],
    ['a key that is a plus alone is a name', {}, { '+': 1 }, { '+': 1 }],
  ])('%s', (_, base, over, expected) => {
    expect(mergeRecipe(base, over)).toEqual(expected);
  });

  test('new keys come last, so a stage keeps its order', () => {
    const out = mergeRecipe({ judge: { b: {}, a: {} } }, { judge: { c: {}, a: { x: 1 } } });
    expect(JSON.stringify(out)).toBe('{"judge":{"b":{},"a":{"x":1},"c":{}}}');
  });

  test('a plus on what is no list is refused', () => {
    expect(() => mergeRecipe({ a: { b: { c: 1 } } }, { a: { 'b+': [2] } })).toThrow(
      'a.b+: a name with a plus adds to a list',
    );
  });

  test('neither of the two is changed', () => {
    const base = { a: { x: [1] } };
    const over = { a: { 'x+': [2] } };
    mergeRecipe(base, over);
    expect([base, over]).toEqual([{ a: { x: [1] } }, { a: { 'x+': [2] } }]);
  });
});
