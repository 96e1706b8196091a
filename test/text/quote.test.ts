import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuote, fold, nearQuote } from '../../src/text/quote.ts';
import { anyText, runs, validText } from './arbitraries.ts';

describe('findQuote', () => {
  it('finds the first place', () => {
    expect(findQuote('tea, then tea', 'tea')).toEqual({ start: 0, end: 3 });
    expect(findQuote('😀 tea', 'tea')).toEqual({ start: 3, end: 6 });
    expect(findQuote('a\u2028b', '\u2028b')).toEqual({ start: 1, end: 3 });
  });

  it('finds no empty quote, not even in an empty text', () => {
    expect(findQuote('tea', '')).toBeNull();
    expect(findQuote('', '')).toBeNull();
  });

  it('takes nothing but the very characters', () => {
    expect(findQuote('Tea', 'tea')).toBeNull();
    expect(findQuote('te', 'tea')).toBeNull();
    expect(findQuote('te\u200ba', 'tea')).toBeNull();
  });

  it('finds letters that are composed in another way, as whole characters', () => {
    expect(findQuote('A cafe\u0301 and tea', 'caf\u00e9 and')).toEqual({ start: 2, end: 11 });
    expect(findQuote('A caf\u00e9 and tea', 'cafe\u0301')).toEqual({ start: 2, end: 6 });
    expect(findQuote('A caf\u00e9', 'cafe')).toBeNull();
    expect(findQuote('cafe\u0301, caf\u00e9', 'caf\u00e9')).toEqual({ start: 7, end: 11 });
    expect(findQuote('서울역'.normalize('NFD'), '서울')).toEqual({ start: 0, end: 5 });
    // Two marks in either order are the same letter.
    expect(findQuote('q\u0307\u0323', 'q\u0323\u0307')).toEqual({ start: 0, end: 3 });
  });

  it('does not find half an emoji in a whole one, but finds it alone', () => {
    expect(findQuote('😀', '\ud83d')).toBeNull();
    expect(findQuote('😀', '\ude00')).toBeNull();
    expect(findQuote('😀\ud83d', '\ud83d')).toEqual({ start: 2, end: 3 });
    expect(findQuote('😀\ude00', '\ude00')).toEqual({ start: 2, end: 3 });
  });

  it('gives a place at which the quote stands', () => {
    fc.assert(
      fc.property(validText, validText, validText, (before, quote, after) => {
        fc.pre(quote !== '');
        const text = before + quote + after;
        const at = findQuote(text, quote);
        expect(at).not.toBeNull();
        expect(text.slice(at?.start, at?.end)).toBe(quote);
        expect(at?.start).toBeLessThanOrEqual(before.length);
      }),
      runs,
    );
  });
});

describe('nearQuote', () => {
  const text = 'Slept badly again. I don’t know why –\nmaybe the Coffee? सिरदर्द है। 😀';

  it.each([
    ['Slept badly', 'verbatim'],
    ['slept BADLY', 'case'],
    ['the coffee', 'case'],
    ['Slept  badly', 'white-space'],
    ['why – maybe', 'white-space'],
    [' Slept badly ', 'white-space'],
    ['Sl\u00adept badly', 'white-space'],
    ["I don't know", 'punctuation'],
    ['I dont know', 'punctuation'],
    ['why - maybe', 'punctuation'],
    ['“Slept badly again”', 'punctuation'],
    ['badly again, I', 'punctuation'],
    ['सिरदर्द है.', 'punctuation'],
    ['again slept badly', 'word-order'],
    ['I know', 'word-order'],
    ['slept well', 'absent'],
    ['', 'absent'],
    ['   ', 'absent'],
    ['!!', 'absent'],
    ['😁', 'absent'],
  ])('%j is %s', (quote, kind) => {
    expect(nearQuote(text, quote)).toBe(kind);
  });

  it('does not take one number or sign for another', () => {
    expect(nearQuote('took 3.5 mg', '35 mg')).toBe('absent');
    expect(nearQuote('pain < 5', 'pain > 5')).toBe('absent');
  });

  it('says verbatim exactly when findQuote finds the quote', () => {
    fc.assert(
      fc.property(anyText, anyText, (any, quote) => {
        expect(nearQuote(any, quote) === 'verbatim').toBe(findQuote(any, quote) !== null);
      }),
      runs,
    );
  });

  it('recognises any text whose case, white space or punctuation was changed', () => {
    const letters = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const original = `Then ${a} ${b} then`;
        expect(nearQuote(original, `${a} ${b}`.toUpperCase())).toBe('case');
        expect(nearQuote(original, `${a}\n ${b}`)).toBe('white-space');
        expect(nearQuote(original, `${a}, ${b}`)).toBe('punctuation');
      }),
      runs,
    );
  });
});

describe('the words of a quote in another order', () => {
  it.each([
    ['My head hurt. I slept badly.', 'badly slept', 'word-order'],
    ['I felt very sick today', 'I felt sick', 'word-order'],
    ['no pain, no gain', 'gain no no', 'word-order'],
    ['no pain, gain', 'gain no no', 'absent'],
    ['Sleep? I DON’T.', "don't, I", 'word-order'],
    ['I slept', 'I slept badly', 'absent'],
    ['pain < 5', 'pain > 5', 'absent'],
    ['I slept', ' ... ', 'absent'],
    ['', 'a', 'absent'],
    ['😀 मुझे तेज़ सिरदर्द है', 'सिरदर्द तेज़', 'word-order'],
  ])('%j has %j: %s', (text, quote, kind) => {
    expect(nearQuote(text, quote)).toBe(kind);
  });
});

describe('fold', () => {
  it('overlooks case', () => {
    expect(fold('Straße ΟΔΟΣ  X.', 'case')).toBe('strasse οδοσ  x.');
    expect(fold('STRASSE οδος  x.', 'case')).toBe('strasse οδοσ  x.');
    expect(fold('STRAẞE', 'case')).toBe('strasse');
  });

  it('overlooks white space and invisible characters as well', () => {
    expect(fold('A \u2028\n b\u00adc\u200bd\ufeff.', 'white-space')).toBe('a bcd.');
  });

  it('overlooks punctuation as well, but does not run words and numbers together', () => {
    expect(fold('Don’t — “STOP”', 'punctuation')).toBe('dont stop ');
    expect(fold('well-being 3.5 $5', 'punctuation')).toBe('well being 3 5 $5');
    expect(fold('don`t don´t don‘t dont', 'punctuation')).toBe('dont dont dont dont');
  });

  it('leaves Devanagari, emoji and lone surrogates as they are', () => {
    expect(fold('कि 😀\ud83d', 'punctuation')).toBe('कि 😀\ud83d');
  });

  it('changes nothing more when done twice', () => {
    fc.assert(
      fc.property(
        anyText.map((text) => text.toWellFormed()),
        fc.constantFrom('case', 'white-space', 'punctuation'),
        (text, level) => {
          const once = fold(text, level);
          expect(fold(once, level)).toBe(once);
        },
      ),
      runs,
    );
  });
});
