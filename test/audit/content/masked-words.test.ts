import { describe, expect, test } from 'vitest';

import { maskedWords } from '../../../src/audit/checks/content/masked-words.ts';
import { maskCopies, SLOT } from '../../../src/text/shingles.ts';
import { wordHashes } from '../../../src/text/text-scan.ts';

const masked = (answer: string, source: string): Uint32Array => maskedWords(answer, wordHashes(source));

const isMasked = (words: Uint32Array): boolean => words.includes(SLOT);

const SOURCE = "I've been feeling cold at night and my knees hurt when it rains.";
const OTHER = 'My stomach is upset after every meal, whatever I eat or drink.';

describe('an answer without what was put in', () => {
  test.each([
    ['single quotes with an apostrophe inside', (text: string) => `You say '${text.slice(0, 20)}...', so rest.`],
    ['double quotes', (text: string) => `You say "${text}" and so rest.`],
    ['curly quotes', (text: string) => `You say “${text}” and so rest.`],
    ['a name after a greeting', (text: string) => `  Dear ${text.slice(-6, -1)}, drink tea and rest.`],
    ['no quotes', (text: string) => `You say ${text} So rest.`],
  ])('%s', (_, template) => {
    expect(masked(template(SOURCE), SOURCE)).toEqual(masked(template(OTHER), OTHER));
  });

  test('two words of the case are ordinary speech and stay', () => {
    expect(masked('Your knees hurt.', SOURCE)).toHaveLength(3);
    expect(isMasked(masked('Your knees hurt.', SOURCE))).toBe(false);
    expect(isMasked(masked('So my knees hurt.', SOURCE))).toBe(true);
    expect(masked('So my knees hurt.', SOURCE)).toHaveLength(2);
  });

  test('apostrophes do not begin a quote', () => {
    expect(masked("It's the dog's bowl, isn't it", '')).toHaveLength(6);
  });

  test('answers that differ stay different', () => {
    expect(masked('Rest and drink tea.', SOURCE)).not.toEqual(masked('Walk and drink milk.', SOURCE));
  });

  test('a greeting ends where the name does', () => {
    // The greeting, then "drink tea".
    for (const head of ['Dear Anna,', 'Hello Dr. Das!', 'Hi Anna Maria Ray:', 'Hey Anna\n', 'नमस्ते अन्ना,'])
      expect(masked(`${head} drink tea`, '')).toEqual(masked('Dear Bruno, drink tea', ''));
    // No name, no mark after it, or more words than a name has.
    expect(isMasked(masked('Hi, drink tea', ''))).toBe(false);
    expect(isMasked(masked('Dear Anna drink tea', ''))).toBe(false);
    expect(isMasked(masked('Dear me I do not know, drink tea', ''))).toBe(false);
    expect(isMasked(masked('Hidden things here, drink tea', ''))).toBe(false);
  });
});

describe('the words of its own', () => {
  test('stand in no three words in a row of the text', () => {
    const mask = maskCopies(wordHashes(SOURCE));
    const own = (answer: string): Uint32Array => mask(wordHashes(answer)).filter((word) => word !== SLOT);
    expect(own(SOURCE)).toHaveLength(0);
    expect(own('You say: my knees hurt.')).toEqual(wordHashes('You say'));
    expect(own('Knees hurt at night.')).toHaveLength(4);
  });
});
