import { describe, expect, it } from 'vitest';

import fc from 'fast-check';
import {
  definitionList,
  displayWidth,
  padEnd,
  padStart,
  truncate,
  wrapPieces,
  wrapWords,
} from '../../src/report/display-width.ts';

// The widths are those of tmux 3.3a, measured by where the cursor stood afterwards.
describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['नमस्ते', 4],
    ['बहुत हल्का लग रहा है।', 18],
    ['क्षि', 3],
    ['日本', 4],
    ['한국', 4],
    ['ｗ', 2],
    ['🎂', 2],
    ['👩‍🍳', 2],
    ['🇩🇰', 2],
    ['e\u0301', 1],
    ['ไทยที่', 4],
    ['├─✓✗┤', 5],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  // With a mark, a character is looked up; without one, many are known to take one column.
  it('gives a character what it takes with a mark on it', () => {
    for (let code = 0x20; code < 0x3000; code += 1) {
      const character = String.fromCodePoint(code);
      if (/[\p{M}\p{C}\p{Z}\u1160-\u11ff]/u.test(character)) continue;
      expect([code, displayWidth(character)]).toEqual([code, displayWidth(`${character}\u0301`)]);
    }
  });
});

describe('truncate', () => {
  it('leaves a text that fits', () => expect(truncate('abc', 3)).toBe('abc'));
  it('ends with … inside the width', () => expect(truncate('abcdef', 4)).toBe('abc…'));
  it('never takes half of a wide character', () => expect(truncate('日本語', 4)).toBe('日…'));
  it('never takes half of an emoji', () => expect(truncate('👩‍🍳👩‍🍳👩‍🍳', 3)).toBe('👩‍🍳…'));
  it('never separates a letter from its marks', () => expect(truncate('नमस्ते', 3)).toBe('नम…'));
});

describe('padding', () => {
  it('counts columns, not characters', () => {
    expect(padEnd('日', 4)).toBe('日  ');
    expect(padStart('e\u0301', 3)).toBe('  e\u0301');
  });
});

describe('wrapWords', () => {
  it('breaks at spaces', () => expect(wrapWords('one two three', 7)).toEqual(['one two', 'three']));
  it('keeps a number and its per cent sign together', () =>
    expect(wrapWords('for 5 (56 %) none', 10)).toEqual(['for 5', '(56 %)', 'none']));
  it('breaks a word that is longer than the line', () =>
    expect(wrapWords('abcdefg h', 3)).toEqual(['abc', 'def', 'g h']));
  it('gives one empty line for an empty text', () => expect(wrapWords('', 10)).toEqual(['']));

  it('never makes a line too wide nor loses a word', () => {
    const words = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'é', '日', '🎂', 'क'), minLength: 1, maxLength: 12 }),
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 20 }), (given, width) => {
        const lines = wrapWords(given.join(' '), width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(given.join(''));
      }),
      { seed: 7 },
    );
  });
});

describe('wrapPieces', () => {
  it('breaks as if it were one text, and each line keeps its pieces', () => {
    const pieces = [
      { text: 'one two', tone: 'a' },
      { text: ' three', tone: 'b' },
    ];
    expect(wrapPieces(pieces, 9)).toEqual([[{ text: 'one two', tone: 'a' }], [{ text: 'three', tone: 'b' }]]);
    expect(wrapPieces(pieces, 5)).toEqual([
      [{ text: 'one', tone: 'a' }],
      [{ text: 'two', tone: 'a' }],
      [{ text: 'three', tone: 'b' }],
    ]);
  });
});

it('puts names and what they are in two columns that fit', () => {
  expect(
    definitionList(
      [
        ['a', 'first'],
        ['long', 'one two three four five'],
      ],
      24,
    ),
  ).toEqual(['  a     first', '  long  one two three four', '        five']);
  expect(definitionList([], 80)).toEqual([]);
});
