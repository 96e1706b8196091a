import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { charTrigrams } from '../../../../../src/tasks/stream/concepts/linker/char-trigrams.ts';
import {
  ASCII_CODES,
  asciiCode,
  asciiTrigram,
  TrigramCodes,
} from '../../../../../src/tasks/stream/concepts/linker/trigram-codes.ts';
import { runs, validText } from '../../../../text/arbitraries.ts';

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

describe('TrigramCodes', () => {
  it('reads from bytes what charTrigrams reads from the text', () => {
    const codes = new TrigramCodes();
    fc.assert(
      fc.property(validText, (text) => {
        const bytes = new TextEncoder().encode(text);
        const out = new Int32Array(bytes.length);
        const read = codes.read(bytes, 0, bytes.length, out);
        const wide = codes.wide();
        const found = [...out.subarray(0, read)].map((code) =>
          code < ASCII_CODES ? asciiTrigram(code) : wide[code - ASCII_CODES],
        );
        expect(found).toEqual(charTrigrams(text));
      }),
      runs,
    );
  });

  it('gives the code of an ASCII trigram and of no other', () => {
    expect(asciiTrigram(asciiCode('a-1') ?? -1)).toBe('a-1');
    expect(asciiCode('é-1')).toBeNull();
    expect(asciiCode('𝒳1')).toBeNull();
  });

  it('leaves out what a closed list does not have', () => {
    const codes = new TrigramCodes([' éa']);
    const bytes = new TextEncoder().encode('éa');
    const out = new Int32Array(bytes.length);
    expect([...out.subarray(0, codes.read(bytes, 0, bytes.length, out))]).toEqual([ASCII_CODES]);
  });
});
