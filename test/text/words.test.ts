import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jaccard, words, wordSet, wordSpans } from '../../src/text/words.ts';
import { anyText, runs } from './arbitraries.ts';

describe('words split on white space', () => {
  it("gives what Python's str.split() gives", () => {
    expect(words('  a\tb\n\nc\u00a0d\u2028e\u3000f\u001cg\u0085h ', 'whitespace')).toEqual('abcdefgh'.split(''));
  });

  it('keeps punctuation, byte-order marks and zero-width spaces in the word', () => {
    expect(words('Bad, "bad" day.\ufeffx y\u200bz', 'whitespace')).toEqual([
      'Bad,',
      '"bad"',
      'day.\ufeffx',
      'y\u200bz',
    ]);
  });

  it('finds no word in nothing and in white space', () => {
    expect(words('', 'whitespace')).toEqual([]);
    expect(words(' \u2029\t', 'whitespace')).toEqual([]);
  });
});

describe('words by Unicode', () => {
  it('splits at punctuation and symbols', () => {
    expect(words('Pain (7/10), e-mail: a_b $5 3.5', 'unicode')).toEqual([
      'Pain',
      '7',
      '10',
      'e',
      'mail',
      'a',
      'b',
      '5',
      '3',
      '5',
    ]);
  });

  it('keeps an apostrophe between letters and drops it elsewhere', () => {
    expect(words("'don't' the dogs' rock'n'roll l’eau a''b", 'unicode')).toEqual([
      "don't",
      'the',
      'dogs',
      "rock'n'roll",
      'l’eau',
      'a',
      'b',
    ]);
  });

  it('leaves Devanagari words whole: vowel signs, virama and joiners belong to them', () => {
    expect(words('मुझे सिरदर्द है। क्\u200dष', 'unicode')).toEqual(['मुझे', 'सिरदर्द', 'है', 'क्\u200dष']);
  });

  it('keeps a zero-width non-joiner inside a Persian word', () => {
    expect(words('می\u200cخواهم', 'unicode')).toEqual(['می\u200cخواهم']);
  });

  it('keeps combining marks, and letters beyond the basic plane', () => {
    expect(words('cafe\u0301 𝒳𝒴!', 'unicode')).toEqual(['cafe\u0301', '𝒳𝒴']);
  });

  it('goes on after a character that is none', () => {
    expect(words('\uffffa \ud83db', 'unicode')).toEqual(['a', 'b']);
  });

  it('finds no word in emoji, lone surrogates and lone marks', () => {
    expect(words('❤️ 😀 \ud83d \ude00 \u0301', 'unicode')).toEqual([]);
  });
});

describe('wordSpans', () => {
  it('gives the words split on white space with their places', () => {
    expect(wordSpans(' ab\u2028😀c', 'whitespace')).toEqual([
      { start: 1, end: 3 },
      { start: 4, end: 7 },
    ]);
  });

  it('makes a token of every other code point, with its marks', () => {
    const text = 'Hi ❤️!? 😀x';
    expect(wordSpans(text, 'unicode').map(({ start, end }) => text.slice(start, end))).toEqual([
      'Hi',
      '❤️',
      '!',
      '?',
      '😀',
      'x',
    ]);
  });

  it('makes tokens of quotes that are not apostrophes', () => {
    expect(wordSpans("'a'", 'unicode')).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 2 },
      { start: 2, end: 3 },
    ]);
  });

  it('puts every character that is not white space into exactly one token, in order', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('whitespace', 'unicode'), (text, rule) => {
        let end = 0;
        for (const span of wordSpans(text, rule)) {
          expect(words(text.slice(end, span.start), 'whitespace')).toEqual([]);
          expect(span.end).toBeGreaterThan(span.start);
          end = span.end;
        }
        expect(words(text.slice(end), 'whitespace')).toEqual([]);
      }),
      runs,
    );
  });

  it('has the words among its tokens: all of them, or those that begin with a letter or digit', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const slices = (rule: 'whitespace' | 'unicode') =>
          wordSpans(text, rule).map(({ start, end }) => text.slice(start, end));
        expect(slices('whitespace')).toEqual(words(text, 'whitespace'));
        expect(slices('unicode').filter((token) => /^[\p{L}\p{N}]/u.test(token))).toEqual(words(text, 'unicode'));
      }),
      runs,
    );
  });

  it('agrees with the rule written as a regular expression', () => {
    const token = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’\u200c\u200d](?=[\p{L}\p{N}]))*/gu;
    fc.assert(
      fc.property(anyText, (text) => {
        expect(words(text, 'unicode')).toEqual(text.match(token) ?? []);
      }),
      runs,
    );
  });
});

const anySet = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e')).map((members) => new Set(members));

describe('jaccard', () => {
  it('is what both have over what either has', () => {
    expect(jaccard(new Set(['a', 'b', 'c']), new Set(['b', 'c', 'd', 'e']))).toBe(2 / 5);
    expect(jaccard(new Set(['a']), new Set(['b']))).toBe(0);
    expect(jaccard(new Set(['a', 'b']), new Set(['b', 'a']))).toBe(1);
  });

  it('is 1 for two empty sets and 0 for one', () => {
    expect(jaccard(new Set(), new Set())).toBe(1);
    expect(jaccard(new Set(), new Set(['a']))).toBe(0);
    expect(jaccard(new Set(['a']), new Set())).toBe(0);
  });

  it('is symmetric, lies in [0, 1], and is 1 exactly for equal sets', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const value = jaccard(a, b);
        expect(value).toBe(jaccard(b, a));
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(value === 1).toBe(a.symmetricDifference(b).size === 0);
      }),
      runs,
    );
  });

  it('never falls when a word that b has is added to a', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        for (const word of b) expect(jaccard(new Set([...a, word]), b)).toBeGreaterThanOrEqual(jaccard(a, b));
      }),
      runs,
    );
  });
});

describe('wordSet', () => {
  it('lower-cases, and holds each word once', () => {
    expect(wordSet('No pain, no GAIN', 'whitespace')).toEqual(new Set(['no', 'pain,', 'gain']));
    expect(wordSet('No pain, no GAIN', 'unicode')).toEqual(new Set(['no', 'pain', 'gain']));
  });

  it('gives quotes that differ in a full stop 1/3 or 1, as the rule has it', () => {
    const similarity = (rule: 'whitespace' | 'unicode') =>
      jaccard(wordSet('bad headache.', rule), wordSet('bad headache', rule));
    expect(similarity('whitespace')).toBe(1 / 3);
    expect(similarity('unicode')).toBe(1);
  });

  it('does not depend on upper and lower case of ASCII letters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shouted = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
        expect(wordSet(shouted, 'whitespace')).toEqual(wordSet(text, 'whitespace'));
      }),
      runs,
    );
  });
});
