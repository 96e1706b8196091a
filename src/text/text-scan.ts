import { characterKind, kind, utf16Units } from './characters.ts';
import { PRIME, spread, START } from './shingles.ts';

const [APOSTROPHE, CURLY_APOSTROPHE] = [0x27, 0x2019];

/** Scripts that write a sentence without spaces: Thai and Lao, Burmese, Khmer, Japanese, Chinese. */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{10ffff}]/u;

/** Units that most Latin texts are made of: of these no other spelling has to be looked for (NFC), but for İ. */
const isPlainUnit = (unit: number): boolean => (unit < 0x300 && unit !== 0x130) || (unit >= 0x2002 && unit < 0x2070);
/** What each unit is to a word: a letter or digit, in small letters, or one of these; 0 if it is not plain. */
const [OUTSIDE, PASSED_OVER] = [1, 2];
/** What it is to a token: its place in the alphabet for a small letter, OTHER for all else, 0 for white space. */
const OTHER = 31;
/** Both of each unit, in the lower and in the upper half. */
const UNITS = new Int32Array(0x10000).fill(OTHER << 16);
for (const unit of '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')
  UNITS[unit.charCodeAt(0)] = 0;
for (let letter = 1; letter <= 26; letter += 1) UNITS[0x60 + letter] = letter << 16;
for (let unit = 0; unit < 0x2070; unit += 1) {
  if (!isPlainUnit(unit) || characterKind(unit) === kind.mark) continue;
  if (characterKind(unit) === kind.letterOrDigit) UNITS[unit]! |= String.fromCharCode(unit).toLowerCase().charCodeAt(0);
  else UNITS[unit]! |= unit === APOSTROPHE || unit === CURLY_APOSTROPHE ? PASSED_OVER : OUTSIDE;
}

/** What one pass over a text finds: its words as hashes, and its tokens. Valid until the next text. */
export class TextScan {
  #found = new Uint32Array(4096);
  /** The words as 32-bit hashes, in order. */
  words: Uint32Array = this.#found.subarray(0, 0);
  /** How many stretches there are between white space. */
  tokens = 0;
  /** The last letters of each, five bits a letter: less than 2^15 if it has three letters at most. */
  endings = new Int32Array(4096);
  /** Whether all units are those of most Latin texts. */
  isPlain = true;

  scan(text: string): this {
    return this.scanUnits(utf16Units(text), text.length, () => text);
  }

  /**
   * For a text whose UTF-16 units are at hand; `textOf` is asked where they are not plain. Where a word or a token ends
   * nobody can foresee, so what is done goes by masks (-1 or 0) and not by branches.
   */
  scanUnits(units: Uint16Array, length: number, textOf: () => string): this {
    if (this.#found.length <= length) {
      this.#found = new Uint32Array(2 * length);
      this.endings = new Int32Array(2 * length);
    }
    const into = this.#found;
    const endings = this.endings;
    let hash = START;
    let [words, inWord, unknown, tokens, letters, inside] = [0, 0, 0, 0, 0, 0];
    for (let at = 0; at < length; at += 1) {
      const own = UNITS[units[at]!]!;
      const isInside = -(own >> 16) >> 31;
      endings[tokens] = letters;
      tokens += inside & ~isInside & 1;
      letters = ((letters << 5) | (own >> 16)) & isInside;
      inside = isInside;
      const unit = own & 0xffff;
      if (unit === PASSED_OVER) continue;
      const isLetter = (PASSED_OVER - unit) >> 31;
      unknown |= unit - 1;
      into[words] = hash;
      words += inWord & ~isLetter & 1;
      hash = (Math.imul(hash ^ unit, PRIME) & isLetter) | (START & ~isLetter);
      inWord = isLetter;
    }
    endings[tokens] = letters;
    this.tokens = tokens + (inside & 1);
    this.isPlain = unknown >= 0;
    into[words] = hash;
    words += inWord & 1;
    for (let at = 0; at < words; at += 1) into[at] = spread(into[at]!);
    this.words = this.isPlain ? into.subarray(0, words) : foldedWords(textOf());
    return this;
  }
}

const shared = new TextScan();

/**
 * The words of a text as 32-bit hashes, in order. Case, punctuation and white space do not count, nor do apostrophes in a
 * word. If a script does not set words apart, every character is a word.
 *
 * @example wordHashes("Don't stop!") // equal to wordHashes('dont  STOP')
 */
export function wordHashes(text: string): Uint32Array {
  return shared.scan(text).words.slice();
}

function foldedWords(text: string): Uint32Array {
  const folded = text.normalize('NFC').toLowerCase();
  const words: number[] = [];
  let hash = START;
  let inWord = false;
  // Within a character that is a word by itself.
  let alone = false;
  for (let at = 0; at < folded.length;) {
    const codePoint = folded.codePointAt(at) ?? 0;
    at += codePoint > 0xffff ? 2 : 1;
    const own = characterKind(codePoint);
    const isLetter = own === kind.letterOrDigit;
    const isAlone = isLetter && codePoint >= 0x0e00 && UNSPACED.test(String.fromCodePoint(codePoint));
    const goesOn = isLetter
      ? !isAlone && !alone
      : own === kind.mark || (!alone && (codePoint === APOSTROPHE || codePoint === CURLY_APOSTROPHE));
    if (inWord && !goesOn) {
      words.push(spread(hash));
      hash = START;
      inWord = alone = false;
    }
    if (isLetter || (own === kind.mark && inWord)) hash = Math.imul(hash ^ codePoint, PRIME);
    if (isLetter) {
      inWord = true;
      alone = isAlone;
    }
  }
  if (inWord) words.push(spread(hash));
  return Uint32Array.from(words);
}
