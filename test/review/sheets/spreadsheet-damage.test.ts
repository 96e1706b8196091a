import { describe, expect, it } from 'vitest';

import { damageIn, isSameText, lostIn, spoiltBySaving } from '../../../src/review/sheets/spreadsheet-cells.ts';

describe('damage that spreadsheets do', () => {
  it.each([
    '02-Jan',
    '2. Jan',
    'Jan-02',
    'Dec-40',
    '15-Mär-26',
    '1/2/2026',
    '2026-01-02',
    '2026-01-02 00:00:00',
    '02.01.2026',
    '46024',
  ])('is a date in %j', (cell) => {
    expect(damageIn(cell)).toMatch(/date/);
  });

  it('is a large number or an error', () => {
    expect(damageIn('1.00E+05')).toMatch(/number/);
    expect(damageIn('#NAME?')).toMatch(/formula/);
    expect(damageIn('Err:508')).toMatch(/formula/);
  });

  it.each(['4', '4.0', 'vata', 'Jana', '1-2', '12', 'may be', '#1', 'i12'])('is not seen in %j', (cell) => {
    expect(damageIn(cell)).toBeNull();
  });
});

describe('a text that came back', () => {
  it.each([
    ['a\nb', 'a\r\nb'],
    ['a\r\nb', 'a\nb'],
    ['=x', "'=x"],
    ["'=x", '=x'],
    [' a ', 'a'],
  ])('is the same: %j and %j', (written, found) => {
    expect(isSameText(written, found)).toBe(true);
  });

  it('is another one when a word is', () => {
    expect(isSameText('a b', 'a c')).toBe(false);
    expect(spoiltBySaving('a b', 'a c')).toBeNull();
  });

  it('may have lost its letters to an old code page', () => {
    expect(spoiltBySaving('गरम tea 🍵 ok?', '??? tea ?? ok?')).toMatch(/^has \? for characters/);
    // Somebody asks a question: nothing was lost.
    expect(spoiltBySaving('warm tea', 'warm tea?')).toBeNull();
  });

  it('may have lost characters that nobody knows', () => {
    expect(spoiltBySaving('größer', 'gr\ufffd\ufffder')).toMatch(/^has \ufffd for characters/);
    expect(lostIn('gr\ufffder')).toMatch(/^has \ufffd where/);
    expect(lostIn('na?ve')).toMatch(/^has \? where/);
    expect(lostIn('??? ????')).toMatch(/^has \? where/);
    for (const text of ['Why?', 'really?? no', 'a ? b', '']) expect(lostIn(text), text).toBeNull();
  });

  it('may have been read with the wrong character set', () => {
    expect(spoiltBySaving('it’s højesteret', 'itâ€™s hÃ¸jesteret')).toMatch(/wrong character set/);
  });

  it('may have been cut off where a cell of Excel ends', () => {
    expect(spoiltBySaving('x'.repeat(40_000), 'x'.repeat(32_767))).toMatch(/cut off/);
    expect(spoiltBySaving('x'.repeat(40), 'x'.repeat(30))).toBeNull();
  });
});
