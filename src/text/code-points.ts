// Without the u flag it sees units, and the engine knows at once that a text of one byte a character has none.
const SURROGATE = /[\ud800-\udfff]/;

/**
 * Whether a text holds any surrogate, paired or lone: only then can UTF-16 units and code points differ.
 *
 * @example hasSurrogates('tea ☕') // false
 * @example hasSurrogates('tea 🍵') // true
 */
export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text);
}

/**
 * Whether an index lies between the two halves of a surrogate pair, where a text must not be cut.
 *
 * @example splitsPair('🍵', 1) // true
 */
export function splitsPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
}

/**
 * The length in code points, as Python's `len`; a lone surrogate counts one.
 *
 * @example codePointLength('नमस्ते') // 6
 * @example codePointLength('🍵') // 1
 */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let at = 1; at < text.length; at += 1) if (splitsPair(text, at)) length -= 1;
  return length;
}
