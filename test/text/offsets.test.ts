import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetMap } from '../../src/text/offsets.ts';
import { anyText, runs, validText } from './arbitraries.ts';

// Byte by byte: a 1, é 2, क 3, 😀 4, b 1.
const text = 'aéक😀b';

describe('offsetMap', () => {
  it('maps code points', () => {
    const map = offsetMap(text, 'codepoint');
    expect(map.length).toBe(5);
    expect([0, 1, 2, 3, 4, 5, 6].map(map.toUtf16)).toEqual([0, 1, 2, 3, 5, 6, -1]);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(map.fromUtf16)).toEqual([0, 1, 2, 3, -1, 4, 5, -1]);
  });

  it('maps bytes', () => {
    const map = offsetMap(text, 'byte');
    expect(map.length).toBe(11);
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(map.toUtf16)).toEqual([
      0, 1, -1, 2, -1, -1, 3, -1, -1, -1, 5, 6, -1,
    ]);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(map.fromUtf16)).toEqual([0, 1, 3, 6, -1, 10, 11, -1]);
  });

  it('maps UTF-16 to itself, but not into a pair', () => {
    const map = offsetMap(text, 'utf16');
    expect(map.length).toBe(6);
    expect([0, 3, 4, 5, 6, 7].map(map.toUtf16)).toEqual([0, 3, -1, 5, 6, -1]);
    expect([0, 3, 4, 5, 6, 7].map(map.fromUtf16)).toEqual([0, 3, -1, 5, 6, -1]);
  });

  it.each([
    ['utf16', text],
    ['codepoint', text],
    ['byte', text],
    ['codepoint', 'no pairs: é'],
    ['byte', 'ascii'],
  ] as const)('in %s refuses what is no offset of %j', (unit, of) => {
    const map = offsetMap(of, unit);
    for (const offset of [-1, 0.5, 1.5, Number.NaN, Infinity, -Infinity, map.length + 1, 2 ** 40]) {
      expect(map.toUtf16(offset)).toBe(-1);
    }
    for (const index of [-1, 0.5, Number.NaN, of.length + 1]) expect(map.fromUtf16(index)).toBe(-1);
    expect(map.toUtf16(map.length)).toBe(of.length);
    expect(map.fromUtf16(of.length)).toBe(map.length);
  });

  it('has one place in an empty text', () => {
    for (const unit of ['utf16', 'codepoint', 'byte'] as const) {
      const map = offsetMap('', unit);
      expect([map.length, map.toUtf16(0), map.fromUtf16(0), map.toUtf16(1)]).toEqual([0, 0, 0, -1]);
    }
  });

  it('counts a lone surrogate as one code point and three bytes', () => {
    expect(offsetMap('\ud83dx', 'codepoint').length).toBe(2);
    expect(offsetMap('\ud83dx', 'byte').toUtf16(3)).toBe(1);
    expect(offsetMap('\ude00😀', 'codepoint').toUtf16(2)).toBe(3);
  });

  it.each([
    ['\x7f', 1],
    ['\x80', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
    ['\u{10000}', 4],
    ['\u{10ffff}', 4],
  ])('knows that %j takes %i bytes', (character, bytes) => {
    const map = offsetMap(`${character}é.`, 'byte');
    expect(map.fromUtf16(character.length)).toBe(bytes);
    expect(map.length).toBe(bytes + 3);
  });

  it('treats U+2028 as any other character', () => {
    expect(offsetMap('a\u2028b', 'codepoint').toUtf16(2)).toBe(2);
    expect(offsetMap('a\u2028b', 'byte').toUtf16(4)).toBe(2);
  });

  it('goes there and back, and meets every start of a character', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('utf16', 'codepoint', 'byte'), (any, unit) => {
        const map = offsetMap(any, unit);
        const indices = Array.from({ length: any.length + 1 }, (_, index) => index).filter(
          (index) => map.fromUtf16(index) >= 0,
        );
        const offsets = Array.from({ length: map.length + 1 }, (_, offset) => offset).filter(
          (offset) => map.toUtf16(offset) >= 0,
        );
        expect(indices.map(map.fromUtf16)).toEqual(offsets);
        expect(offsets.map(map.toUtf16)).toEqual(indices);
      }),
      runs,
    );
  });

  it('measures every beginning as the encoders do', () => {
    fc.assert(
      fc.property(validText, (valid) => {
        const codePoints = offsetMap(valid, 'codepoint');
        const bytes = offsetMap(valid, 'byte');
        for (let index = 0; index <= valid.length; index += 1) {
          const start = valid.slice(0, index);
          const whole = start.isWellFormed();
          expect(codePoints.fromUtf16(index)).toBe(whole ? [...start].length : -1);
          expect(bytes.fromUtf16(index)).toBe(whole ? Buffer.byteLength(start, 'utf8') : -1);
        }
      }),
      runs,
    );
  });
});
