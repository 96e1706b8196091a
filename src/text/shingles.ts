import { characterKind, kind } from './characters.ts';

/** Words that overlapping pieces of a text are made of. */
const SHINGLE_WORDS = 3;
/** Of a longer text, this many shingles stand for all: those with the smallest hashes, which is a fair sample. */
export const MOST_SHINGLES = 256;

const START = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const [APOSTROPHE, CURLY_APOSTROPHE] = [0x27, 0x2019];

/** Scripts that write a sentence without spaces: Thai and Lao, Burmese, Khmer, Japanese, Chinese. */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{10ffff}]/u;
const isUnspaced = (codePoint: number): boolean =>
  codePoint >= 0x0e00 && UNSPACED.test(String.fromCodePoint(codePoint));

/**
 * The words of a text as 32-bit hashes, in order. Case, punctuation and white space do not count, nor do apostrophes in a
 * word. If a script does not set words apart, every character is a word.
 *
 * @example wordHashes("Don't stop!") // equal to wordHashes('dont  STOP')
 */
export function wordHashes(text: string): Uint32Array {
  const folded = text.normalize('NFC').toLowerCase();
  const found: number[] = [];
  let hash = START;
  let inWord = false;
  // Within a character that is a word by itself.
  let alone = false;
  for (let at = 0; at < folded.length;) {
    const unit = folded.charCodeAt(at);
    // Most of most texts, and the quickest way through it.
    if (unit >= 0x61 && unit <= 0x7a && !alone) {
      hash = Math.imul(hash ^ unit, PRIME);
      inWord = true;
      at += 1;
      continue;
    }
    const codePoint = unit < 0xd800 ? unit : (folded.codePointAt(at) ?? 0);
    at += codePoint > 0xffff ? 2 : 1;
    const own = characterKind(codePoint);
    const isLetter = own === kind.letterOrDigit;
    const isAlone = isLetter && isUnspaced(codePoint);
    const goesOn = isLetter
      ? !isAlone && !alone
      : own === kind.mark || (!alone && (codePoint === APOSTROPHE || codePoint === CURLY_APOSTROPHE));
    if (inWord && !goesOn) {
      found.push(spread(hash));
      hash = START;
      inWord = alone = false;
    }
    if (isLetter || (own === kind.mark && inWord)) hash = Math.imul(hash ^ codePoint, PRIME);
    if (isLetter) {
      inWord = true;
      alone = isAlone;
    }
  }
  if (inWord) found.push(spread(hash));
  return Uint32Array.from(found);
}

/** The different shingles of a text as hashes in rising order, at most MOST_SHINGLES of them. */
export function shinglesOf(words: Uint32Array): Uint32Array {
  const sorted = shinglesInOrder(words).sort();
  return sorted.filter((shingle, at) => shingle !== sorted[at - 1]).slice(0, MOST_SHINGLES);
}

/** The shingle that begins at each word but the last two. */
function shinglesInOrder(words: Uint32Array): Uint32Array {
  const found = new Uint32Array(Math.max(0, words.length - SHINGLE_WORDS + 1));
  for (let at = 0; at < found.length; at += 1) {
    let hash = START;
    for (let word = at; word < at + SHINGLE_WORDS; word += 1)
      hash = Math.imul(hash ^ words[word]!, PRIME) ^ (hash >>> 13);
    found[at] = spread(hash);
  }
  return found;
}

/**
 * Jaccard similarity of two texts by their shingles: exact where both have at most MOST_SHINGLES, else estimated from the
 * smallest hashes of their union (Broder 1997). 0 where one has none.
 */
export function shingleSimilarity(a: Uint32Array, b: Uint32Array): number {
  const isSampled = a.length === MOST_SHINGLES || b.length === MOST_SHINGLES;
  const most = isSampled ? MOST_SHINGLES : a.length + b.length;
  let [i, j, common, union] = [0, 0, 0, 0];
  while ((i < a.length || j < b.length) && union < most) {
    const x = i < a.length ? a[i]! : Infinity;
    const y = j < b.length ? b[j]! : Infinity;
    if (x === y) common += 1;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
    union += 1;
  }
  return union === 0 ? 0 : common / union;
}

/** murmur3's last step: every bit of the input reaches every bit of the output. */
export function spread(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A sequence of words as one number of 53 bits: equal sequences have equal ones. */
export function sequenceKey(words: Uint32Array): number {
  let [a, b] = [START, 0x9e3779b9 | 0];
  for (const word of words) {
    a = Math.imul(a ^ word, 0xcc9e2d51);
    a ^= a >>> 15;
    b = Math.imul(b ^ word, 0x1b873593) + 0x52dce729;
    b ^= b >>> 13;
  }
  return (spread(a ^ words.length) & 0x1fffff) * 0x100000000 + spread(b ^ a);
}

/** Stands for a stretch that was put in from elsewhere; no word has this hash but by chance. */
export const SLOT = 0x510751;

/** Words with a slot for each that is in a stretch of three words and more which the source has too. */
export function maskCopies(source: Uint32Array): (words: Uint32Array) => Uint32Array {
  const known = new Set(shinglesInOrder(source));
  return (words) => {
    const masked = words.slice();
    for (const [from, shingle] of shinglesInOrder(words).entries())
      if (known.has(shingle)) masked.fill(SLOT, from, from + SHINGLE_WORDS);
    return masked;
  };
}
