import { describe, expect, it } from 'vitest';
import { readingWords, spokenSyllables } from '../../src/text/readability.ts';

const read = (text: string): string[] => readingWords(text).map((word) => `${word} ${spokenSyllables(word)}`);

describe('the words of a sentence, as Flesch counts them', () => {
  it.each([
    ['I don’t know.', ['I 1', 'don’t 1', 'know 1']],
    ['A well-being, full-length plan', ['A 1', 'well-being 3', 'full-length 2', 'plan 1']],
    ['Dr. Rao, B.A.M.S., e.g. on TV', ['Dr 1', 'Rao 2', 'B.A.M.S 1', 'e.g 1', 'on 1', 'TV 1']],
    ['In 1918 take 2.5 mg, 7% or $15', ['In 1', '1918 1', 'take 1', '2.5 1', 'mg 1', '7% 1', 'or 1', '$15 1']],
    ['a 7-day course of B12', ['a 1', '7-day 2', 'course 1', 'of 1', 'B12 1']],
    ['herbs/spices — and/or oil...water', ['herbs 1', 'spices 2', 'and 1', 'or 1', 'oil 1', 'water 2']],
    ['**Eat** (warm) “food”!', ['Eat 1', 'warm 1', 'food 1']],
    ['See https://a.example/b or mail a@b.example now', ['See 1', 'or 1', 'mail 1', 'now 1']],
    ['the word प्रकृति means nature', ['the 1', 'word 1', 'means 1', 'nature 2']],
    ['- … ! 😀', []],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});
