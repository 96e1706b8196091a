// Bytes 80 to 9F in order; the five that Windows-1252 leaves unused stand for themselves, as browsers read them.
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const BYTES = new Map(Array.from(HIGH, (character, at) => [character.charCodeAt(0), 0x80 + at]));

/**
 * The byte that a UTF-16 unit was read from, if the reader took the text for Windows-1252 or Latin-1; -1 for a
 * character that neither has. U+0080 to U+009F are Latin-1's reading of the bytes of the same number.
 *
 * @example windows1252Byte('€'.charCodeAt(0)) // 0x80
 */
export function windows1252Byte(unit: number): number {
  return unit <= 0xff ? unit : (BYTES.get(unit) ?? -1);
}
