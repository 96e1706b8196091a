import { describe, expect, test } from 'vitest';

import { isSpacedOut, shreddingOf } from '../../src/text/shredded.ts';

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
