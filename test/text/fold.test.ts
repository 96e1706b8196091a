import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, origin } from '../../src/text/fold.ts';
import { anyText, runs } from './arbitraries.ts';

describe('fold', () => {
  it('overlooks case', () => {
    expect(fold('Straße ΟΔΟΣ  X.', 'case').text).toBe('strasse οδοσ  x.');
    expect(fold('STRASSE οδος  x.', 'case').text).toBe('strasse οδοσ  x.');
    expect(fold('STRAẞE', 'case').text).toBe('strasse');
  });

  it('overlooks white space and invisible characters as well', () => {
    expect(fold('A \u2028\n b\u00adc\u200bd\ufeff.', 'white-space').text).toBe('a bcd.');
  });

  it('overlooks punctuation as well, but does not run words and numbers together', () => {
    expect(fold('Don’t — “STOP”', 'punctuation').text).toBe('dont stop ');
    expect(fold('well-being 3.5 $5', 'punctuation').text).toBe('well being 3 5 $5');
    expect(fold('don`t don´t don‘t dont', 'punctuation').text).toBe('dont dont dont dont');
  });

  it('leaves Devanagari, emoji and lone surrogates as they are', () => {
    expect(fold('कि 😀\ud83d', 'punctuation').text).toBe('कि 😀\ud83d');
  });

  it('knows where every unit came from', () => {
    expect(fold('😀ß', 'case')).toEqual({ text: '😀ss', starts: [0, 0, 2, 2], ends: [2, 2, 3, 3] });
  });

  it('changes nothing more when done twice', () => {
    fc.assert(
      fc.property(
        anyText.map((text) => text.toWellFormed()),
        fc.constantFrom('case', 'white-space', 'punctuation'),
        (text, level) => {
          const once = fold(text, level).text;
          expect(fold(once, level).text).toBe(once);
        },
      ),
      runs,
    );
  });
});

describe('origin', () => {
  it('takes in what the fold left out between', () => {
    expect(origin(fold('Don’t', 'punctuation'), 0, 4)).toEqual({ start: 0, end: 5 });
    expect(origin(fold('Don’t', 'punctuation'), 2, 4)).toEqual({ start: 2, end: 5 });
  });
});
