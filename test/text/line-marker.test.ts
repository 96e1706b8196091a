import { describe, expect, it } from 'vitest';
import { isRule, lineMarker } from '../../src/text/line-marker.ts';

describe('the marker of a line', () => {
  it.each([
    ['- rice', 'item', 2, null],
    ['•rice', 'item', 1, null],
    ['* [ ] rice', 'item', 6, null],
    ['12. rice', 'item', 4, 12],
    ['(3) rice', 'item', 4, 3],
    ['१२. चावल', 'item', 4, 12],
    ['4.rice', 'item', 2, 4],
    ['b) rice', 'item', 3, null],
    ['(iv) rice', 'item', 5, null],
    ['### Rice', 'heading', 4, null],
    ['> rice', 'quote', 2, null],
  ])('of %j is a marker: %s', (text, kind, end, number) => {
    expect(lineMarker(text, 0)).toEqual({ kind, end, number });
  });

  it.each(['rice', '-rice', '1.5 cups', '2019. Then', 'p. 12', '*rice*', '#rice', 'A. K. Rao'])(
    'is none in %j',
    (text) => {
      expect(lineMarker(text, 0)).toBeNull();
    },
  );

  it('is looked for at a place', () => {
    expect(lineMarker('  - rice', 2)).toEqual({ kind: 'item', end: 4, number: null });
  });
});

describe('a line that only divides', () => {
  it('is made of dashes, stars, bars and the like', () => {
    for (const line of ['---', '* * *', '===', '|---|:-:|', '-']) expect(isRule(line)).toBe(true);
    for (const line of ['- a', '...', '!!!', '']) expect(isRule(line)).toBe(false);
  });
});
