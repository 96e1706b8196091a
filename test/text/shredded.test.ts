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
