import { firstFrom } from './compare.ts';
import { DisjointSets } from './disjoint-sets.ts';
import { sequenceKey, shinglesOf, shingleSimilarity } from './shingles.ts';

/** Shorter texts are alike by chance: of these only equal ones are found. */
export const LEAST_WORDS = 8;

/** A bucket that many different texts fall into is one of common phrases: comparing all with all would never end. */
const MOST_COMPARED = 8;

/** Two texts that share most of their shingles. */
export interface NearText {
  readonly place: number;
  readonly similarity: number;
}

/** Different texts that are alike, each by the first place that it was given at, in rising order. */
export interface NearGroup {
  readonly places: readonly number[];
  /** Between the first two that were found alike. */
  readonly similarity: number;
}

/** Shingles are kept end to end in pieces of this many, which hold those of thousands of texts. */
const PIECE = 1 << 18;

/**
 * Finds equal and nearly equal texts among many: MinHash over word shingles in bands, and every pair that is found so is
 * compared by its shingles. Keeps hashes only, and all of them in a few long lists.
 */
export class NearTexts {
  readonly #firsts = new Map<number, number>();
  /** By the first place of a text, where there are several. */
  readonly #equal = new Map<number, number[]>();
  readonly #pieces: Uint32Array[] = [];
  #filled = PIECE;
  /** Of each text, where its shingles begin and how many they are; none where it is too short or not new. */
  #starts = new Int32Array(64);
  #sizes = new Uint16Array(64);
  #bands = new Uint32Array(BANDS * 64);
  #size = 0;
  #index: readonly BandIndex[] | null = null;

  /** Takes the words of a text; gives the place of that text, counted from 0. */
  add(words: Uint32Array): number {
    const place = this.#size;
    this.#size += 1;
    this.#index = null;
    this.#makeRoom(place);
    const key = sequenceKey(words);
    const first = this.#firsts.get(key);
    if (first === undefined) {
      this.#firsts.set(key, place);
      if (words.length >= LEAST_WORDS && place < MOST_INDEXED) this.#keep(place, shinglesOf(words));
    } else {
      const equal = this.#equal.get(first);
      if (equal === undefined) this.#equal.set(first, [first, place]);
      else equal.push(place);
    }
    return place;
  }

  get size(): number {
    return this.#size;
  }

  /** Places of texts that are the same, where there are several. */
  equal(): number[][] {
    return [...this.#equal.values()].sort((a, b) => a[0]! - b[0]!);
  }

  /** The first text that is the same, or the most alike of those that are alike. */
  match(words: Uint32Array, least: number): NearText | null {
    const first = this.#firsts.get(sequenceKey(words));
    if (first !== undefined) return { place: first, similarity: 1 };
    if (words.length < LEAST_WORDS) return null;
    const own = shinglesOf(words);
    const bands = new Uint32Array(BANDS);
    putBands(own, bands, 0);
    let best: NearText | null = null;
    for (const [band, index] of this.#indexed().entries()) {
      for (const place of index.places(bands[band]!, MOST_COMPARED)) {
        const similarity = shingleSimilarity(own, this.#shinglesAt(place));
        if (similarity >= least && similarity > (best?.similarity ?? 0)) best = { place, similarity };
      }
    }
    return best;
  }

  /** Different texts of which each is alike to another of its group. */
  near(least: number): NearGroup[] {
    const sets = new DisjointSets();
    const similarities = new Map<number, number>();
    for (const index of this.#indexed()) {
      index.eachBucket((places) => {
        const compared: number[] = [];
        for (const place of places) {
          const like = compared.find((other) => {
            if (sets.rootOf(other) === sets.rootOf(place)) return true;
            const similarity = shingleSimilarity(this.#shinglesAt(place), this.#shinglesAt(other));
            if (similarity < least) return false;
            const [first = 0, second = 0] = [sets.rootOf(other), sets.rootOf(place)].sort((a, b) => a - b);
            sets.join(first, second);
            similarities.set(first, similarities.get(first) ?? similarities.get(second) ?? similarity);
            return true;
          });
          if (like === undefined && compared.length < MOST_COMPARED) compared.push(place);
        }
      });
    }
    const others = sets.others().sort((a, b) => a - b);
    return [...Map.groupBy(others, (place) => sets.rootOf(place))]
      .sort(([a], [b]) => a - b)
      .map(([root, places]) => ({ places: [root, ...places], similarity: similarities.get(root) ?? least }));
  }

  /** The shingles of a text that has enough words and is not the same as an earlier one. */
  shingles(place: number): Uint32Array | null {
    return (this.#sizes[place] ?? 0) === 0 ? null : this.#shinglesAt(place);
  }

  #shinglesAt(place: number): Uint32Array {
    const start = this.#starts[place]!;
    const from = start % PIECE;
    return this.#pieces[Math.floor(start / PIECE)]!.subarray(from, from + this.#sizes[place]!);
  }

  #keep(place: number, own: Uint32Array): void {
    if (this.#filled + own.length > PIECE) {
      this.#pieces.push(new Uint32Array(PIECE));
      this.#filled = 0;
    }
    this.#pieces.at(-1)!.set(own, this.#filled);
    this.#starts[place] = (this.#pieces.length - 1) * PIECE + this.#filled;
    this.#sizes[place] = own.length;
    this.#filled += own.length;
    putBands(own, this.#bands, place * BANDS);
  }

  #makeRoom(place: number): void {
    if (place < this.#starts.length) return;
    const room = this.#starts.length * 2;
    const [starts, sizes, bands] = [this.#starts, this.#sizes, this.#bands];
    (this.#starts = new Int32Array(room)).set(starts);
    (this.#sizes = new Uint16Array(room)).set(sizes);
    (this.#bands = new Uint32Array(room * BANDS)).set(bands);
  }

  #indexed(): readonly BandIndex[] {
    if (this.#index === null) {
      const places: number[] = [];
      for (let place = 0; place < this.#size; place += 1) if (this.#sizes[place]! > 0) places.push(place);
      this.#index = Array.from({ length: BANDS }, (_, band) => new BandIndex(places, this.#bands, band));
    }
    return this.#index;
  }
}

/**
 * MinHash signatures in bands (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, ch. 3): texts that
 * share a band may be alike. With 16 bands of 4 a pair of similarity s shares one with probability 1 - (1 - s^4)^16: 0.9998
 * at 0.8, 0.12 at 0.3. The seeds are fixed, so the answer is too.
 */
const BANDS = 16;
const ROWS = 4;

/** Texts in an index: more would not fit beside a 32-bit hash in one exact number. */
const MOST_INDEXED = 2 ** 21;
/** Turns the order of unsigned numbers into that of signed ones, which are quicker to compare. */
const SIGN = 0x80000000 | 0;

/** With the sign turned: an odd factor leaves it turned. */
const SEEDS = Int32Array.from({ length: BANDS * ROWS }, (_, at) => Math.imul(at + 1, 0x9e3779b1) ^ SIGN);
const FACTORS = Int32Array.from({ length: BANDS * ROWS }, (_, at) => Math.imul(at + 77, 0x85ebca77) | 1);

/** The low bits of a product, which are all that its last step changes. */
const LOW = 0x1ffff;

/**
 * The smallest hash of all shingles under each of 64 functions, four and four put together, from `at` on in `into`. Most
 * products are too large by their high bits already, and only the rest take the last step.
 */
function putBands(own: Uint32Array, into: Uint32Array, at: number): void {
  for (let band = 0; band < BANDS; band += 1) {
    let hash = band;
    for (let row = band * ROWS; row < (band + 1) * ROWS; row += 1) {
      const [seed, factor] = [SEEDS[row]!, FACTORS[row]!];
      let least = HIGHEST;
      for (let each = 0; each < own.length; each += 1) {
        const product = Math.imul(own[each]! ^ seed, factor);
        if (product <= (least | LOW)) least = Math.min(least, lastStep(product));
      }
      hash = mixed(hash, least);
    }
    into[at + band] = hash;
  }
}

function lastStep(product: number): number {
  return product ^ ((product ^ SIGN) >>> 15);
}

const HIGHEST = 0x7fffffff;

function mixed(hash: number, least: number): number {
  return Math.imul(hash ^ least ^ SIGN, 0x01000193) ^ (hash >>> 11);
}

/** The places of texts in the order of one band's hash. */
class BandIndex {
  /** hash x 2^21 + order, exact as long as there are fewer than two million texts. */
  readonly #keys: Float64Array;
  readonly #places: readonly number[];

  constructor(places: readonly number[], bands: Uint32Array, band: number) {
    this.#places = places;
    this.#keys = new Float64Array(places.length);
    for (let at = 0; at < places.length; at += 1)
      this.#keys[at] = bands[places[at]! * BANDS + band]! * MOST_INDEXED + at;
    this.#keys.sort();
  }

  eachBucket(tell: (places: readonly number[]) => void): void {
    const keys = this.#keys;
    for (let from = 0; from < keys.length;) {
      const end = (Math.floor(keys[from]! / MOST_INDEXED) + 1) * MOST_INDEXED;
      let to = from + 1;
      while (to < keys.length && keys[to]! < end) to += 1;
      if (to - from > 1) tell(Array.from(keys.subarray(from, to), (key) => this.#places[key % MOST_INDEXED]!));
      from = to;
    }
  }

  places(hash: number, most: number): number[] {
    const keys = this.#keys;
    const low = firstFrom(keys.length, (at) => keys[at]! >= hash * MOST_INDEXED);
    const found: number[] = [];
    for (let at = low; at < keys.length && found.length < most && keys[at]! < (hash + 1) * MOST_INDEXED; at += 1)
      found.push(this.#places[keys[at]! % MOST_INDEXED]!);
    return found;
  }
}
