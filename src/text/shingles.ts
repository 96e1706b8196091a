/** Words that overlapping pieces of a text are made of. */
const SHINGLE_WORDS = 3;
/** Of a longer text, this many shingles stand for all: those with the smallest hashes, which is a fair sample. */
export const MOST_SHINGLES = 256;

const START = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

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
  const n = shinglesInOrder(words, zeros, unsorted);
  placeEven(unsorted, sorted, n, 32 - PLACE_BITS - zeros);
  return sorted.subarray(0, keepDifferent(sorted, n));
}

/** Puts the first so many near their places, by their first bits. */
function placeEven(from: Uint32Array, into: Uint32Array, n: number, shift: number): void {
  ends.fill(0);
  for (let at = 0; at < n; at += 1) ends[from[at]! >>> shift]! += 1;
  let before = 0;
  for (let place = 0; place < 1 << PLACE_BITS; place += 1) {
    const own = ends[place]!;
    ends[place] = before;
    before = (before + own) | 0;
  }
  for (let at = 0; at < n; at += 1) into[ends[from[at]! >>> shift]!++] = from[at]!;
}

/** Puts those that are kept in order, each past the few that share its first bits, and gives how many they are. */
function keepDifferent(list: Uint32Array, n: number): number {
  let kept = 0;
  let last = -1;
  for (let at = 0; at < n; at += 1) {
    const hash = list[at]!;
    if (hash > last) {
      if (kept === MOST_SHINGLES) continue;
      last = hash;
      list[kept++] = hash;
      continue;
    }
    let to = kept;
    while (to > 0 && list[to - 1]! > hash) to -= 1;
    if (to > 0 && list[to - 1] === hash) continue;
    if (kept < MOST_SHINGLES) kept += 1;
    for (let place = kept - 1; place > to; place -= 1) list[place] = list[place - 1]!;
    list[to] = hash;
    last = list[kept - 1]!;
  }
  return kept;
}

/** The shingle that begins at each word but the last two, in order: those with so many leading zero bits. Gives how many. */
function shinglesInOrder(words: Uint32Array, zeros: number, into: Uint32Array): number {
  const others = ~(0xffffffff >>> zeros);
  let n = 0;
  for (let at = SHINGLE_WORDS - 1; at < words.length; at += 1) {
    let hash = Math.imul(START ^ words[at - 2]!, PRIME) ^ (START >>> 13);
    hash = Math.imul(hash ^ words[at - 1]!, PRIME) ^ (hash >>> 13);
    const shingle = spread(Math.imul(hash ^ words[at]!, PRIME) ^ (hash >>> 13));
    into[n] = shingle;
    if ((shingle & others) === 0) n += 1;
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

/**
 * MinHash signatures in bands (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, ch. 3): texts that
 * share a band may be alike. With 16 bands of 4 a pair of similarity s shares one with probability 1 - (1 - s^4)^16: 0.9998
 * at 0.8, 0.12 at 0.3. The 64 numbers come from one hash (Li, Owen and Zhang 2012): the smallest shingle in each of 64
 * bins, and for an empty bin that of another one, which goes by the bin alone (Shrivastava 2017).
 */
export const BANDS = 16;
const ROWS = 4;
const BINS = BANDS * ROWS;
const TRIES = 8 * BINS;
/** For each bin the bins that it looks at when it is empty, one after another. */
const OTHER_BINS = Uint8Array.from({ length: BINS * TRIES }, (_, at) => spread(at + 1) % BINS);
const smallestIn = new Uint32Array(BINS);
const isFilled = new Uint8Array(BINS);
const bandHashes = new Uint32Array(BANDS);

/** A hash for each band, valid until the next call. Shingles come in rising order. */
export function bandsOf(shingles: Uint32Array, from = 0, to = shingles.length): Uint32Array {
  isFilled.fill(0);
  // The smallest of a bin comes last. A shingle's last bits say nothing of how small it is.
  for (let at = to - 1; at >= from; at -= 1) {
    const bin = shingles[at]! & (BINS - 1);
    smallestIn[bin] = shingles[at]!;
    isFilled[bin] = 1;
  }
  for (let band = 0; band < BANDS; band += 1) {
    let hash = band;
    for (let own = band * ROWS; own < (band + 1) * ROWS; own += 1) {
      let bin = own;
      for (let tries = 0; isFilled[bin] === 0 && tries < TRIES; tries += 1) bin = OTHER_BINS[own * TRIES + tries]!;
      hash = Math.imul(hash ^ (isFilled[bin] === 0 ? 0 : smallestIn[bin]!), 0x01000193) ^ (hash >>> 11);
    }
    bandHashes[band] = hash;
  }
  return bandHashes;
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
  return all.subarray(0, shinglesInOrder(words, 0, all));
}
