/**
 * Whether a UTF-16 unit is white space as Python's `str.split()` sees it: the reference scorers are Python. JavaScript's
 * `\s` adds U+FEFF and lacks U+001C to U+001F and U+0085.
 */
export function isWhiteSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f);
  if (unit < 0x2000) return unit === 0x85 || unit === 0xa0 || unit === 0x1680;
  return unit <= 0x200a || unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f || unit === 0x3000;
}

/** The first place from `from` on that is not white space; the end of the text if all is white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** The place after the last character before `end` that is not white space, `start` at the earliest. */
export function skipSpaceBack(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isWhiteSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** What a code point can be to a word splitter. 0 is kept for "not looked up yet". */
export const kind = { other: 1, space: 2, letterOrDigit: 3, mark: 4 } as const;

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;
const MARK = /^\p{M}$/u;

// One byte per code point, filled as text is met: a look-up costs less than a regular expression,
// and the pages that nobody touches are never allocated.
const known = new Uint8Array(0x110000);

/** Which `kind` a code point is; lone surrogates are "other". Example: the Devanagari vowel sign i (0x93f) is a mark. */
export function characterKind(codePoint: number): number {
  return known[codePoint] || (known[codePoint] = lookUp(codePoint));
}

function lookUp(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (isWhiteSpace(codePoint)) return kind.space;
  if (LETTER_OR_DIGIT.test(character)) return kind.letterOrDigit;
  return MARK.test(character) ? kind.mark : kind.other;
}

// Without the u flag they see units, and the engine knows at once that a text of one byte a character has none.
const SURROGATE = /[\ud800-\udfff]/;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Whether a text holds any surrogate, paired or lone: only then can UTF-16 units and code points differ. */
export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text);
}

/** Whether an index lies between the two halves of a surrogate pair, where a text must not be cut. */
export function splitsPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
}

/** The length in code points, as Python's `len`; a lone surrogate counts one. Example: नमस्ते has 6, 🍵 has 1. */
export function codePointLength(text: string): number {
  return text.length - (text.match(PAIR)?.length ?? 0);
}
