import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { charTrigrams, TrigramNumbers } from '../../../../src/stream/concepts/linker/vocabulary.ts';
import { runs, validText } from '../../../text/arbitraries.ts';

describe('charTrigrams', () => {
  it('pads every word with a space on both sides and does not go over words', () => {
    expect(charTrigrams('CT scan')).toEqual([' ct', 'ct ', ' sc', 'sca', 'can', 'an ']);
  });

  it('gives a word of one character one trigram', () => {
    expect(charTrigrams('x')).toEqual([' x ']);
  });

  it('takes any run of white space for one break, and none at the ends', () => {
    expect(charTrigrams(' \tVitamin\n\u00a0 b12 ')).toEqual([
      ' vi',
      'vit',
      'ita',
      'tam',
      'ami',
      'min',
      'in ',
      ' b1',
      'b12',
      '12 ',
    ]);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(charTrigrams('𝒳y')).toEqual([' 𝒳y', '𝒳y ']);
  });

  it('finds nothing in nothing', () => {
    expect(charTrigrams(' \n')).toEqual([]);
  });
});

describe('TrigramNumbers', () => {
  it('reads from bytes what charTrigrams reads from the text', () => {
    const numbers = new TrigramNumbers();
    fc.assert(
      fc.property(validText, (text) => {
        const bytes = new TextEncoder().encode(text);
        const out = new Int32Array(bytes.length);
        const read = numbers.read(bytes, 0, bytes.length, out);
        expect([...out.subarray(0, read)].map((number) => numbers.trigrams[number])).toEqual(charTrigrams(text));
      }),
      runs,
    );
    expect(new Set(numbers.trigrams).size).toBe(numbers.trigrams.length);
  });

  it('leaves out what a closed list does not have', () => {
    const numbers = new TrigramNumbers(['ab ', ' éa']);
    const bytes = new TextEncoder().encode('éa ab');
    const out = new Int32Array(bytes.length);
    expect([...out.subarray(0, numbers.read(bytes, 0, bytes.length, out))]).toEqual([1, 0]);
  });
});
