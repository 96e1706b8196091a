import { characterKind, kind } from './characters.ts';
import { spread } from './shingles.ts';

/** As in shingles.ts: what a module imports is read again in every step. */
const START = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const [APOSTROPHE, CURLY_APOSTROPHE] = [0x27, 0x2019];

/** Scripts that write a sentence without spaces: Thai and Lao, Burmese, Khmer, Japanese, Chinese. */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{10ffff}]/u;

/** Units that most Latin texts are made of: of these no other spelling has to be looked for (NFC), but for İ. */
const isPlainUnit = (unit: number): boolean => (unit < 0x300 && unit !== 0x130) || (unit >= 0x2002 && unit < 0x2070);
/** What each unit is to a word: a letter or digit, in small letters, or one of these; 0 if it is not plain. */
const OUTSIDE = 1;
const PASSED_OVER = 2;
/** And a bit for each that is not plain, and for each that is no white space. */
const [NOT_PLAIN, IN_TOKEN] = [1 << 30, 1 << 31];
const UNITS = new Int32Array(0x10000).fill(IN_TOKEN | NOT_PLAIN);
for (const unit of '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')
  UNITS[unit.charCodeAt(0)] = NOT_PLAIN;
for (let unit = 0; unit < 0x2070; unit += 1) {
  if (!isPlainUnit(unit) || characterKind(unit) === kind.mark) continue;
  UNITS[unit]! &= ~NOT_PLAIN;
  if (characterKind(unit) === kind.letterOrDigit) UNITS[unit]! |= String.fromCharCode(unit).toLowerCase().charCodeAt(0);
  else UNITS[unit]! |= unit === APOSTROPHE || unit === CURLY_APOSTROPHE ? PASSED_OVER : OUTSIDE;
}

/** The words and tokens of one text after another. Nobody can foresee their ends, so loops go by masks, not branches. */
export class TextScan {
  /** Its UTF-16 units, and how many there are: reading a list is quicker than asking a text. */
  units = new Uint16Array(1 << 13);
  length = 0;
  /** The words as 32-bit hashes, in order; the next text overwrites them. */
  words: Uint32Array = new Uint32Array();
  /** Whether all units are those of most Latin texts. */
  isPlain = true;
  #bytes = Buffer.from(this.units.buffer);
  #found = new Uint32Array(1 << 13);

  scan(text: string): this {
    this.length = text.length;
    if (this.units.length <= text.length) {
      this.units = new Uint16Array(2 * text.length);
      this.#bytes = Buffer.from(this.units.buffer);
      this.#found = new Uint32Array(2 * text.length);
    }
    this.#bytes.write(text, 'utf16le');
    const words = this.#plainWords(this.units, this.#found);
    this.words = words < 0 ? foldedWords(text) : this.#found.subarray(0, words);
    this.isPlain = words >= 0;
    return this;
  }

  /** Finds the words of a text of plain units, and how many they are; -1 for any other text. */
  #plainWords(units: Uint16Array, into: Uint32Array): number {
    const { length } = this;
    let hash = START;
    let [words, inWord, bits] = [0, 0, 0];
    for (let at = 0; at < length; at += 1) {
      const own = UNITS[units[at]!]!;
      const unit = own & 0xffff;
      bits |= own;
      if (unit === PASSED_OVER) continue;
      const isLetter = (PASSED_OVER - unit) >> 31;
      into[words] = hash;
      words += inWord & ~isLetter & 1;
      hash = (Math.imul(hash ^ unit, PRIME) & isLetter) | (START & ~isLetter);
      inWord = isLetter;
    }
    if ((bits & NOT_PLAIN) !== 0) return -1;
    into[words] = hash;
    words += inWord & 1;
    for (let at = 0; at < words; at += 1) into[at] = spread(into[at]!);
    return words;
  }

  /** How many stretches there are between white space, and how many of them are longer than three units. */
  tokens(): { readonly all: number; readonly long: number } {
    const { units, length } = this;
    let [all, long] = [0, 0];
    for (let at = 0, reached = 0; at < length; at += 1) {
      reached = (reached + 1) & (UNITS[units[at]!]! >> 31);
      all += ((reached ^ 1) - 1) >>> 31;
      long += ((reached ^ 4) - 1) >>> 31;
    }
    return { all, long };
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
