import { hasSurrogates, splitsPair } from './characters.ts';

const ASCII = /^[\0-\x7f]*$/;

/** What a data set counts its offsets in: JavaScript and Java, Python, or UTF-8 bytes. */
export type OffsetUnit = 'utf16' | 'codepoint' | 'byte';

export interface OffsetMap {
  /** Length of the text in the unit; also the greatest valid offset. */
  readonly length: number;
  /** UTF-16 index of an offset; -1 when it is past the end, negative, not an integer or inside a character. */
  readonly toUtf16: (offset: number) => number;
  /** Offset of a UTF-16 index; -1 in the same cases. */
  readonly fromUtf16: (index: number) => number;
}

/**
 * Translates offsets between a unit and UTF-16, for one text. A character is a code point; a lone surrogate is one
 * code point, and three bytes as in Python's `surrogatepass`.
 *
 * @example offsetMap('🍵 tea', 'codepoint').toUtf16(2) // 3
 * @example offsetMap('🍵 tea', 'byte').toUtf16(1) // -1
 */
export function offsetMap(text: string, unit: OffsetUnit): OffsetMap {
  if (unit === 'utf16' || (unit === 'byte' ? ASCII.test(text) : !hasSurrogates(text))) {
    const same = (offset: number): number =>
      offset >= 0 && offset <= text.length && Number.isInteger(offset) && !splitsPair(text, offset) ? offset : -1;
    return { length: text.length, toUtf16: same, fromUtf16: same };
  }
  const offsetAt = new Int32Array(text.length + 1).fill(-1);
  let length = 0;
  for (let index = 0; index < text.length;) {
    const codePoint = text.codePointAt(index) ?? 0;
    offsetAt[index] = length;
    const bytes = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    length += unit === 'byte' ? bytes : 1;
    index += codePoint > 0xffff ? 2 : 1;
  }
  offsetAt[text.length] = length;
  const indexAt = new Int32Array(length + 1).fill(-1);
  for (let index = 0; index <= text.length; index += 1) if (offsetAt[index]! >= 0) indexAt[offsetAt[index]!] = index;
  // A typed array answers undefined for whatever is not one of its indices: negative, fractional, NaN, too large.
  return {
    length,
    toUtf16: (offset) => indexAt[offset] ?? -1,
    fromUtf16: (index) => offsetAt[index] ?? -1,
  };
}
