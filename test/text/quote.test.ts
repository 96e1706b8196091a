import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuote, fold, nearQuote, origin, wordWindow } from '../../src/text/quote.ts';
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
    expect(findQuote('cafe\u0301', 'caf\u00e9')).toBeNull();
    expect(findQuote('te', 'tea')).toBeNull();
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
    ['Slept badly', 'verbatim', 'Slept badly'],
    ['slept BADLY', 'case', 'Slept badly'],
    ['the coffee', 'case', 'the Coffee'],
    ['Slept  badly', 'white-space', 'Slept badly'],
    ['why – maybe', 'white-space', 'why –\nmaybe'],
    [' Slept badly ', 'white-space', 'Slept badly'],
    ['Sl\u00adept badly', 'white-space', 'Slept badly'],
    ["I don't know", 'punctuation', 'I don’t know'],
    ['I dont know', 'punctuation', 'I don’t know'],
    ['why - maybe', 'punctuation', 'why –\nmaybe'],
    ['“Slept badly again”', 'punctuation', 'Slept badly again'],
    ['badly again, I', 'punctuation', 'badly again. I'],
    ['सिरदर्द है.', 'punctuation', 'सिरदर्द है'],
    ['again slept badly', 'word-order', 'Slept badly again'],
    ['I know', 'word-order', 'I don’t know'],
    ['slept well', 'absent', null],
    ['', 'absent', null],
    ['   ', 'absent', null],
    ['!!', 'absent', null],
    ['😁', 'absent', null],
  ])('%j is %s', (quote, kind, place) => {
    const near = nearQuote(text, quote);
    expect(near.kind).toBe(kind);
    expect(near.at === undefined ? null : text.slice(near.at.start, near.at.end)).toBe(place);
  });

  it('does not take one number or sign for another', () => {
    expect(nearQuote('took 3.5 mg', '35 mg').kind).toBe('absent');
    expect(nearQuote('pain < 5', 'pain > 5').kind).toBe('absent');
  });

  it('says verbatim exactly when findQuote finds the quote', () => {
    fc.assert(
      fc.property(anyText, anyText, (any, quote) => {
        const place = findQuote(any, quote);
        const near = nearQuote(any, quote);
        expect(near.kind === 'verbatim' ? near.at : null).toEqual(place);
      }),
      runs,
    );
  });

  it('recognises any text whose case, white space or punctuation was changed', () => {
    const letters = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const original = `Then ${a} ${b} then`;
        expect(nearQuote(original, `${a} ${b}`.toUpperCase()).kind).toBe('case');
        expect(nearQuote(original, `${a}\n ${b}`).kind).toBe('white-space');
        expect(nearQuote(original, `${a}, ${b}`).kind).toBe('punctuation');
      }),
      runs,
    );
  });

  it('gives a place inside the text that cuts no pair', () => {
    fc.assert(
      fc.property(validText, fc.nat(20), fc.nat(20), (any, from, length) => {
        const quote = any
          .slice(from, from + length)
          .toWellFormed()
          .toLowerCase()
          .replaceAll(' ', '  ');
        const at = nearQuote(any, quote).at ?? { start: 0, end: 0 };
        expect(at.start).toBeGreaterThanOrEqual(0);
        expect(at.end).toBeLessThanOrEqual(any.length);
        expect(any.slice(at.start, at.end).isWellFormed()).toBe(true);
      }),
      runs,
    );
  });
});

function found(text: string, quote: string): string | null {
  const at = wordWindow(text, quote);
  return at === null ? null : text.slice(at.start, at.end);
}

describe('wordWindow', () => {
  it('finds the words in another order', () => {
    expect(found('My head hurt. I slept badly.', 'badly slept')).toBe('slept badly');
  });

  it('finds words with others between them', () => {
    expect(found('I felt very sick today', 'I felt sick')).toBe('I felt very sick');
  });

  it('prefers the shortest place, and of those the first', () => {
    expect(wordWindow('a x x b x a b x b a', 'b a')).toEqual({ start: 10, end: 13 });
    expect(wordWindow('a b b a', 'b a')).toEqual({ start: 0, end: 3 });
  });

  it('leaves out words that it has already', () => {
    expect(wordWindow('a a b', 'b a')).toEqual({ start: 2, end: 5 });
  });

  it('wants a word as often as the quote has it', () => {
    expect(found('no pain, no gain', 'gain no no')).toBe('no pain, no gain');
    expect(found('no pain, gain', 'gain no no')).toBeNull();
  });

  it('overlooks case, apostrophes and punctuation', () => {
    expect(found('Sleep? I DON’T.', "don't, I")).toBe('I DON’T');
  });

  it('finds nothing when a word or a sign is missing, and for a quote without any', () => {
    expect(found('I slept', 'I slept badly')).toBeNull();
    expect(found('pain < 5', 'pain > 5')).toBeNull();
    expect(found('I slept', ' ... ')).toBeNull();
    expect(found('', 'a')).toBeNull();
  });

  it('works on Devanagari and beyond emoji', () => {
    expect(found('😀 मुझे तेज़ सिरदर्द है', 'सिरदर्द तेज़')).toBe('तेज़ सिरदर्द');
  });
});

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
