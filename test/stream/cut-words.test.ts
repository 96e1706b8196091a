import { describe, expect, test } from 'vitest';

import { cutWords } from '../../src/stream/cut-words.ts';
import { madeTrace, turn } from './made-trace.ts';

const cut = (...deltas: string[]): ReturnType<typeof cutWords> =>
  cutWords(madeTrace('c', [{ agent: 'a', deltas: deltas.map((text, at) => [text, at]) }]), 'space');

describe('words that a space between deltas cuts', () => {
  test('a delta that ends inside a word', () => {
    expect(cut('Spin', 'oc', 'ere', 'bell', 'ar', ' at', 'ax', 'ia')).toEqual({
      words: 2,
      cuts: 6,
      examples: ['Spin oc ere bell ar', 'at ax ia'],
    });
  });

  test('a word may end in the middle of a delta, and another begin there', () => {
    expect(cut('the pat', 'ient was di', 'zzy')).toEqual({ words: 2, cuts: 2, examples: ['pat ient', 'di zzy'] });
  });

  test('whole words, punctuation and blank deltas cut nothing', () => {
    expect(cut('Whole', ' words', ',', ' and', '\n', 'more', '.')).toEqual({ words: 0, cuts: 0, examples: [] });
  });

  test('vowel signs and digits belong to their word', () => {
    expect(cut('हि', 'न्दी', ' 20', '24')).toEqual({ words: 2, cuts: 2, examples: ['हि न्दी', '20 24'] });
  });

  test('another turn begins another word, and what is no message is left out', () => {
    const trace = madeTrace('c', [turn('a', 'one@0'), turn('b', 'two@1'), turn('system', 'th@2', 'ree@3')]);
    expect(cutWords(trace, 'space').words).toBe(0);
  });

  test('joined as they came, nothing is cut', () => {
    expect(cutWords(madeTrace('c', [turn('a', 'a@0', 'b@1')]), 'concat').words).toBe(0);
  });
});
