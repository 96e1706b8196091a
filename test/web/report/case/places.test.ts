import { describe, expect, it } from 'vitest';

import { PlaceFinder, placeWithin } from '../../../../web/src/report/case/case-items.ts';
import { item } from './case-detail.ts';

describe('the place of an item', () => {
  it('is the one it has', () => {
    expect(placeWithin('In Aarhus.', 3, 9)).toEqual({ place: { start: 3, end: 9, by: 'place' }, astray: null });
  });

  it.each([
    [-5, 3, 'lies outside the text of 10 characters'],
    [3, 11, 'lies outside the text of 10 characters'],
    [4, 4, 'holds no characters'],
    [9, 3, 'holds no characters'],
    [1.5, 3, 'is not one of whole characters'],
    [Number.NaN, 3, 'is not one of whole characters'],
  ])('from %d to %d is told and not shown', (start, end, why) => {
    const { place, astray } = placeWithin('In Aarhus.', start, end);
    expect(place).toBeNull();
    expect(astray).toContain(why);
  });

  it('takes a character whole that it would cut in two', () => {
    // 'a', then a pair of surrogates at 1 and 2, then 'b'.
    expect(placeWithin('a\u{1f600}b', 2, 4).place).toEqual({ start: 1, end: 4, by: 'place' });
    expect(placeWithin('a\u{1f600}b', 0, 2).place).toEqual({ start: 0, end: 3, by: 'place' });
  });

  it('is where the words first stand for a quote without one', () => {
    const finder = new PlaceFinder('a cold, a cold hand', true);
    expect(finder.placeOf('object', item(0, { text: 'a cold' })).place).toEqual({ start: 0, end: 6, by: 'words' });
    expect(finder.placeOf('object', item(1, { text: 'a warm hand' })).place).toBeNull();
  });

  it('is not looked for where words say nothing: in a redacted text, and for kinds that are no quotes', () => {
    expect(new PlaceFinder('▒▒▒ ▒▒▒', false).placeOf('object', item(0, { text: '▒▒▒' })).place).toBeNull();
    expect(new PlaceFinder('a class', true).placeOf('class', item(0, { text: 'class' })).place).toBeNull();
  });
});
