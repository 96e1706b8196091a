/** Words that overlapping pieces of a text are made of. */
const SHINGLE_WORDS = 3;
/** Of a longer text, this many shingles stand for all: those with the smallest hashes, which is a fair sample. */
export const MOST_SHINGLES = 256;

/** The first value of a hash of words or of their pieces, and the factor of each step. */
export const [START, PRIME] = [0x811c9dc5 | 0, 0x01000193];

/** Hashes are spread evenly: by their first bits each falls near its place. */
const PLACE_BITS = 9;
const ends = new Int32Array(1 << PLACE_BITS);
let [unsorted, sorted] = [new Uint32Array(), new Uint32Array()];

/** The different shingles of a text as hashes in rising order, at most MOST_SHINGLES of them. Valid until the next call. */
export function shinglesOf(words: Uint32Array): Uint32Array {
  const zeros = Math.max(0, Math.floor(Math.log2(words.length / (2 * MOST_SHINGLES))));
  const some = smallest(words, zeros);
  return zeros === 0 || some.length === MOST_SHINGLES ? some : smallest(words, 0);
}

/** Those with so many leading zero bits. */
function smallest(words: Uint32Array, zeros: number): Uint32Array {
  if (sorted.length < words.length) [sorted, unsorted] = [new Uint32Array(words.length), new Uint32Array(words.length)];
  const n = shinglesInOrder(words, 0xffffffff >>> zeros, unsorted);
  placeEven(n, 32 - PLACE_BITS - zeros);
  return sorted.subarray(0, keepDifferent(n));
}

/** Puts the first so many near their places, by their first bits. */
function placeEven(n: number, shift: number): void {
  ends.fill(0);
  for (let at = 0; at < n; at += 1) ends[unsorted[at]! >>> shift]! += 1;
  let before = 0;
  for (let place = 0; place < ends.length; place += 1) {
    const own = ends[place]!;
    ends[place] = before;
    before += own;
  }
  for (let at = 0; at < n; at += 1) sorted[ends[unsorted[at]! >>> shift]!++] = unsorted[at]!;
}

/** Puts those that are kept in order, each past the few that share its first bits, and gives how many they are. */
function keepDifferent(n: number): number {
  let kept = 0;
  for (let at = 0; at < n; at += 1) {
    const hash = sorted[at]!;
    let to = kept;
    while (to > 0 && sorted[to - 1]! > hash) to -= 1;
    if (to > 0 && sorted[to - 1] === hash) continue;
    if (to === MOST_SHINGLES) continue;
    for (let place = Math.min(kept, MOST_SHINGLES - 1); place > to; place -= 1) sorted[place] = sorted[place - 1]!;
    sorted[to] = hash;
    if (kept < MOST_SHINGLES) kept += 1;
  }
  return kept;
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
