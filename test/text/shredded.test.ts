import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isSpacedOut, shreddingOf } from '../../src/text/shredded.ts';
import lists from '../../src/text/word-lists.json' with { type: 'json' };
import { isFunctionWord } from '../../src/text/words.ts';

describe('words cut into pieces', () => {
  test('short pieces in a row that are no words, with the word before them', () => {
    const text = 'The doctor said that this is a spin oc ere bell ar at ax ia and not the br uc ell osis of before.';
    expect(shreddingOf(text).runs).toEqual(['spin oc ere', 'at ax ia', 'br uc ell']);
  });

  test('whole text has none', () => {
    expect(
      shreddingOf('The doctor said that this is a spinocerebellar ataxia and not the brucellosis of before.'),
    ).toEqual({
      words: 15,
      runs: [],
    });
  });

  test('a short text, or one in a language that is not known, is not judged', () => {
    expect(shreddingOf('at ax ia and br uc ell').runs).toEqual([]);
    expect(shreddingOf('wo jue de hen lei ye bu xiang qu le ni ne wo men ming tian zai shuo ba').runs).toEqual([]);
  });

  test('English is told by its words, whatever their letters and what stands around them', () => {
    const rest = 'knee pain monday morning, spin oc ere bell ar, walking slowly home later: rest needed';
    // Of 16 whole words 3 are enough, and 2 are not: 0.15 x 16 = 2.4.
    expect(shreddingOf(`“The” (AND) Since, ${rest}`).runs).toEqual(['spin oc ere']);
    expect(shreddingOf(`“The” (AND) Today, ${rest}`).runs).toEqual([]);
  });

  test('a run may end the text, and white space of any kind parts its pieces', () => {
    expect(
      shreddingOf('  \nIt was said that this is not what they had before they came with at\u00a0ax\tia').runs,
    ).toEqual(['at ax ia']);
  });
});

/** The same by splitting and regular expressions. */
function plainShredding(text: string): ReturnType<typeof shreddingOf> {
  const tokens = text.trim() === '' ? [] : text.trim().split(/\s+/);
  const short = new Set(lists.shortWords.split(' '));
  const isPiece = (token = 'whole'): boolean =>
    /^(?=.*[aeiouy])[a-z]{1,3}$/.test(token) && !isFunctionWord(token) && !short.has(token);
  const runs = tokens.flatMap((_, from) => {
    let to = from;
    while (isPiece(tokens[to])) to += 1;
    if (to - from < 2 || isPiece(tokens[from - 1])) return [];
    return [[tokens[from - 1]?.slice(-39) ?? '', ...tokens.slice(from, to)].join(' ').trim()];
  });
  const english = new Set(lists.englishOnly.split(' '));
  const letters = /^[^\p{L}\p{N}]*([A-Za-z]+)[^\p{L}\p{N}]*$/u;
  const whole = tokens.filter((token) => !isPiece(token));
  const known = whole.filter((token) => english.has(letters.exec(token)?.[1]?.toLowerCase() ?? ''));
  const isJudged = tokens.length >= 15 && known.length >= 0.15 * whole.length;
  return { words: tokens.length, runs: isJudged ? runs : [] };
}

test('one pass finds what splitting and regular expressions find, whatever the text is made of', () => {
  const odd =
    '“The” AND, and1 1and éand b-ut 🍵and 𝐀and and\u0301 \u0001 a\u001cb \u200band aeio Ab ab. the² _and ſo \ud800and';
  const word = fc.oneof(
    fc.constantFrom(...odd.split(' '), ...lists.englishOnly.split(' ')),
    fc.array(fc.constantFrom(...'aeioubcdxyz'.split('')), { minLength: 1, maxLength: 3 }).map((all) => all.join('')),
  );
  const space = fc.constantFrom(' ', ' ', '  ', '\n', '\u00a0', '\ufeff', '\u1680', '\u0085', '\u180e');
  const text = fc.array(fc.tuple(word, space), { maxLength: 40 }).map((all) => all.flat().join(''));
  fc.assert(
    fc.property(text, (given) => {
      expect(shreddingOf(given)).toEqual(plainShredding(given));
    }),
    { numRuns: 2000 },
  );
});

describe('quotes with spaces inside words', () => {
  test.each([
    ['at ax ia', 'His ataxia got worse', true],
    ['his at axia', 'Since his ataxia got worse', true],
    ['his ataxia', 'Since his\n  ataxia got worse', false],
    ['hisataxia', 'Since his ataxia got worse', false],
    ['his knee', 'Since his ataxia got worse', false],
    ['🍵 te a', 'drank 🍵 tea', true],
  ])('%j in %j: %j', (quote, text, expected) => {
    expect(isSpacedOut(quote, text)).toBe(expected);
  });
});
