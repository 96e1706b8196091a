import { characterKind, kind, utf16Units } from './characters.ts';

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

/** Units that most Latin texts are made of: of these no other spelling has to be looked for (NFC), but for İ. */
const isPlain = (unit: number): boolean => (unit < 0x300 && unit !== 0x130) || (unit >= 0x2002 && unit < 0x2070);
/** What each unit is to a word: a letter or digit, in small letters, or one of these; 0 if it is not plain. */
const [OUTSIDE, PASSED_OVER] = [1, 2];
const IN_WORD = new Uint16Array(0x10000);
for (let unit = 0; unit < 0x2070; unit += 1) {
  if (!isPlain(unit) || characterKind(unit) === kind.mark) continue;
  if (characterKind(unit) === kind.letterOrDigit) IN_WORD[unit] = String.fromCharCode(unit).toLowerCase().charCodeAt(0);
  else IN_WORD[unit] = unit === APOSTROPHE || unit === CURLY_APOSTROPHE ? PASSED_OVER : OUTSIDE;
}

/** The words of the text at hand. */
let found = new Uint32Array(4096);

/**
 * The words of a text as 32-bit hashes, in order. Case, punctuation and white space do not count, nor do apostrophes in a
 * word. If a script does not set words apart, every character is a word.
 *
 * @example wordHashes("Don't stop!") // equal to wordHashes('dont  STOP')
 */
export function wordHashes(text: string): Uint32Array {
  if (found.length <= text.length) found = new Uint32Array(2 * text.length);
  const words = plainWords(text, found);
  return words < 0 ? foldedWords(text) : found.slice(0, words);
}

/**
 * Finds the words of a text of plain units in one pass, and how many they are; -1 for any other text. Where a word ends
 * nobody can foresee, so what is done goes by masks (-1 or 0) and not by branches.
 */
function plainWords(text: string, into: Uint32Array): number {
  const [units, length] = [utf16Units(text), text.length];
  let words = 0;
  let hash = START;
  let inWord = 0;
  let unknown = 0;
  for (let at = 0; at < length; at += 1) {
    const unit = IN_WORD[units[at]!]!;
    if (unit === PASSED_OVER) continue;
    const isLetter = (PASSED_OVER - unit) >> 31;
    unknown |= unit - 1;
    into[words] = hash;
    words += inWord & ~isLetter & 1;
    hash = (Math.imul(hash ^ unit, PRIME) & isLetter) | (START & ~isLetter);
    inWord = isLetter;
  }
  if (unknown < 0) return -1;
  into[words] = hash;
  words += inWord & 1;
  for (let at = 0; at < words; at += 1) into[at] = spread(into[at]!);
  return words;
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
    const isAlone = isLetter && isUnspaced(codePoint);
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

/** Of more shingles than this, only those with some leading zero bits are put in order: twice as many as are kept, or more. */
const MOST_SORTED = 4 * MOST_SHINGLES;
/** Hashes are spread evenly: by their first bits each falls near its place. */
const PLACE_BITS = 9;
const ends = new Int32Array((1 << PLACE_BITS) + 1);
let unsorted = new Uint32Array(MOST_SORTED);
let sorted = new Uint32Array(MOST_SORTED);

/** The different shingles of a text as hashes in rising order, at most MOST_SHINGLES of them. */
export function shinglesOf(words: Uint32Array): Uint32Array {
  const zeros = Math.max(0, Math.floor(Math.log2(words.length / (2 * MOST_SHINGLES))));
  const some = smallest(words, zeros);
  return zeros === 0 || some.length === MOST_SHINGLES ? some : smallest(words, 0);
}

/** Those with so many leading zero bits. */
function smallest(words: Uint32Array, zeros: number): Uint32Array {
  if (sorted.length < words.length) [sorted, unsorted] = [new Uint32Array(words.length), new Uint32Array(words.length)];
  const n = shinglesInOrder(words, 0xffffffff >>> zeros, unsorted);
  // Only a text that repeats itself over and over has so many.
  if (n > MOST_SORTED) {
    sorted.set(unsorted.subarray(0, n));
    sorted.subarray(0, n).sort();
  } else sortEven(n, 32 - PLACE_BITS - zeros);
  let kept = 0;
  for (let at = 0; at < n && kept < MOST_SHINGLES; at += 1)
    if (kept === 0 || sorted[at] !== sorted[kept - 1]) sorted[kept++] = sorted[at]!;
  return sorted.slice(0, kept);
}

/** Puts the first so many in order, each by its first bits and then past the few that share them. */
function sortEven(n: number, shift: number): void {
  ends.fill(0);
  for (let at = 0; at < n; at += 1) ends[(unsorted[at]! >>> shift) + 1]! += 1;
  for (let place = 1; place < ends.length; place += 1) ends[place]! += ends[place - 1]!;
  for (let at = 0; at < n; at += 1) sorted[ends[unsorted[at]! >>> shift]!++] = unsorted[at]!;
  for (let at = 1; at < n; at += 1) {
    const hash = sorted[at]!;
    let to = at;
    for (; to > 0 && sorted[to - 1]! > hash; to -= 1) sorted[to] = sorted[to - 1]!;
    sorted[to] = hash;
  }
}

/** The shingle that begins at each word but the last two, in order: those up to `most`. Gives how many they are. */
function shinglesInOrder(words: Uint32Array, most: number, into: Uint32Array): number {
  let n = 0;
  for (let at = SHINGLE_WORDS - 1; at < words.length; at += 1) {
    let hash = Math.imul(START ^ words[at - 2]!, PRIME) ^ (START >>> 13);
    hash = Math.imul(hash ^ words[at - 1]!, PRIME) ^ (hash >>> 13);
    const shingle = spread(Math.imul(hash ^ words[at]!, PRIME) ^ (hash >>> 13));
    if (shingle > most) continue;
    into[n] = shingle;
    n += 1;
  }
  return n;
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
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
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
  const known = new Set(allShingles(source));
  return (words) => {
    const masked = words.slice();
    for (const [from, shingle] of allShingles(words).entries())
      if (known.has(shingle)) masked.fill(SLOT, from, from + SHINGLE_WORDS);
    return masked;
  };
}

function allShingles(words: Uint32Array): Uint32Array {
  const all = new Uint32Array(words.length);
  return all.subarray(0, shinglesInOrder(words, 0xffffffff, all));
}
