import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalise, type Normaliser, normalisers } from '../../src/text/normalise.ts';
import { isWhiteSpace } from '../../src/text/characters.ts';
import { anyText, runs } from './arbitraries.ts';

describe('normalisers', () => {
  it.each<[Normaliser, string, string]>([
    ['lower', 'New YORK Æ', 'new york æ'],
    ['lower', 'ΟΔΟΣ', 'οδος'],
    ['trim', '\u2028\u00a0 New  York\u3000\n', 'New  York'],
    ['trim', '\ufeffx', '\ufeffx'],
    ['trim', ' \t ', ''],
    ['collapse', ' a \t\n b\u2029c\u0085\u001fd ', ' a b c d '],
    ['separators', ' New_York \u00a0City_', 'NewYorkCity'],
    ['separators', 'a-b.c', 'a-b.c'],
    ['nfc', 'cafe\u0301', 'caf\u00e9'],
    ['nfc', '\ud83d', '\ud83d'],
    ['punctuation', '“Don’t” — (stop)! ¿a_b?', 'Dont  stop ab'],
    ['punctuation', '$5 + 3 < 9 है।', '$5 + 3 < 9 है'],
    ['diacritics', 'José Müller Ångström', 'Jose Muller Angstrom'],
    ['diacritics', 'cafe\u0301', 'cafe'],
    ['diacritics', 'søster', 'søster'],
    ['diacritics', '한국', '한국'],
    ['diacritics', 'कि', 'क'],
  ])('%s turns %j into %j', (step, text, expected) => {
    expect(normalisers[step](text)).toBe(expected);
  });

  it('knows the same white space everywhere', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => unit);
    const expected = units.filter(isWhiteSpace);
    expect(units.filter((unit) => normalisers.trim(String.fromCharCode(unit)) === '')).toEqual(expected);
    expect(units.filter((unit) => normalisers.collapse(String.fromCharCode(unit, unit)) === ' ')).toEqual(expected);
  });

  it.each(Object.keys(normalisers) as Normaliser[])('%s changes nothing more when done twice', (step) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normalisers[step](text);
        expect(normalisers[step](once)).toBe(once);
      }),
      runs,
    );
  });
});

describe('normalise', () => {
  it('applies the steps from left to right', () => {
    expect(normalise('  New   York ', ['lower', 'trim', 'collapse'])).toBe('new york');
    expect(normalise('a -b', ['punctuation', 'collapse'])).toBe('a b');
    expect(normalise('a - b', ['collapse', 'punctuation'])).toBe('a  b');
  });

  it('changes nothing without steps', () => {
    expect(normalise(' X ', [])).toBe(' X ');
  });
});
