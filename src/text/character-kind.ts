import { isWhiteSpace } from './white-space.ts';

/** What a code point can be to a word splitter. 0 is kept for "not looked up yet". */
export const kind = { other: 1, space: 2, letterOrDigit: 3, mark: 4 } as const;

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;
const MARK = /^\p{M}$/u;

// One byte per code point, filled as text is met: a look-up costs less than a regular expression,
// and the pages that nobody touches are never allocated.
const known = new Uint8Array(0x110000);

/**
 * Which `kind` a code point is: white space, a letter or digit (`\p{L}`, `\p{N}`), a mark (`\p{M}`), or anything else.
 * Lone surrogates are "other".
 *
 * @example characterKind(0x93f) // kind.mark, the Devanagari vowel sign i
 */
export function characterKind(codePoint: number): number {
  const found = known[codePoint] ?? 0;
  return found === 0 ? lookUp(codePoint) : found;
}

function lookUp(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const found = isWhiteSpace(codePoint)
    ? kind.space
    : LETTER_OR_DIGIT.test(character)
      ? kind.letterOrDigit
      : MARK.test(character)
        ? kind.mark
        : kind.other;
  known[codePoint] = found;
  return found;
}
