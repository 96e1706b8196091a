import { describe, expect, it } from 'vitest';
import { readability } from '../../src/text/readability.ts';
import { processorTime } from '../processor-time.ts';

describe('readability', () => {
  // Words, syllables and scores as published; the sentences are the standing examples of Wikipedia's article on the tests.
  it.each([
    ['The cat sat on the mat.', { words: 6, syllables: 6 }, 116.145, -1.45],
    [
      'This sentence, taken as a reading passage unto itself, is being used to prove a point.',
      { words: 16, syllables: 23 },
      68.9825,
      7.6125,
    ],
    [
      'The Australian platypus is seemingly a hybrid of a mammal and reptilian creature.',
      { words: 13, syllables: 24 },
      37.4554,
      11.2646,
    ],
  ])('of %j is as published', (text, counts, ease, grade) => {
    const found = readability(text, 'en');
    expect(found).toMatchObject({ ...counts, sentences: 1 });
    expect(found).toHaveProperty('flesch_reading_ease', expect.closeTo(ease, 3));
    expect(found).toHaveProperty('flesch_kincaid_grade', expect.closeTo(grade, 3));
  });

  it('has its known bounds where every sentence is one word of one syllable: 121.22 and -3.40', () => {
    const found = readability('Go. Rest. Sleep.', null);
    expect(found).toMatchObject({ words: 3, sentences: 3, syllables: 3 });
    expect(found).toHaveProperty('flesch_reading_ease', expect.closeTo(121.22, 9));
    expect(found).toHaveProperty('flesch_kincaid_grade', expect.closeTo(-3.4, 9));
  });

  it('counts sentences by the list, not by the full stop, and leaves out markers', () => {
    // Eat these / rice / warm milk / Ask Dr Rao at noon: 2 + 1 + 2 + 5 words.
    expect(readability('Eat these:\n1. rice\n2. warm milk\n\nAsk Dr. Rao at noon.', 'en-GB')).toMatchObject({
      words: 10,
      sentences: 4,
    });
  });

  it('is undefined for another language, with what can be counted', () => {
    expect(readability('Guten Tag. Wie geht es?', 'de')).toEqual({
      undefined: 'Flesch is defined for English only',
      words: 5,
      sentences: 2,
    });
  });

  it('is undefined for Hindi, whether or not the language is named', () => {
    const text = 'वात शांत करें। गर्म दूध पिएँ।';
    expect(readability(text, 'hi')).toEqual({
      undefined: 'Flesch is defined for English only',
      words: 6,
      sentences: 2,
    });
    for (const language of [null, 'en'])
      expect(readability(text, language)).toMatchObject({
        undefined: expect.stringMatching(/^Flesch is defined for English only: .*not Latin$/),
        words: 6,
      });
  });

  it('is defined for English with a few words of another script', () => {
    expect(readability('The word प्रकृति means nature.', null)).toMatchObject({ words: 4, syllables: 5 });
  });

  it.each(['', ' \n', '!!!', '—', '- \n- '])('is undefined without words: %j', (text) => {
    expect(readability(text, 'en')).toEqual({ undefined: 'there are no words to count', words: 0, sentences: 0 });
  });

  it('takes time in proportion to the text', () => {
    const started = processorTime();
    for (const piece of ['a@b.', '!a', 'a. ', "a'", '. ', 'é', '1-']) readability(piece.repeat(100_000), null);
    expect(processorTime() - started).toBeLessThan(3000);
  });
});
