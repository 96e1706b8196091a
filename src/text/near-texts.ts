import { firstFrom } from './compare.ts';
import { DisjointSets } from './disjoint-sets.ts';
import { sequenceKey, shinglesOf, shingleSimilarity } from './shingles.ts';

/** Shorter texts are alike by chance: of these only equal ones are found. */
export const LEAST_WORDS = 8;
/** A bucket that many different texts fall into is one of common phrases: comparing all with all would never end. */
const MOST_COMPARED = 8;
/** Texts in an index: more would not fit beside a 32-bit hash in one exact number. */
const MOST_INDEXED = 2 ** 21;

/**
 * Finds equal and nearly equal texts among many: MinHash over word shingles in bands, and every pair that is found so is
 * compared by its shingles. Keeps hashes only. A text is named by its place, in the order they are added.
 */
export class NearTexts {
  /** By the key of its words, the places of a text. */
  readonly #places = new Map<number, number[]>();
  /** By place; none where a text is too short or not new. */
  readonly #shingles: (Uint32Array | null)[] = [];
  /** For each band the texts as hash x 2^21 + place, in rising order. */
  #index: readonly Float64Array[] | null = null;

  /** Takes the words of a text; gives its place. */
  add(words: Uint32Array): number {
    const place = this.#shingles.length;
    this.#index = null;
    const key = sequenceKey(words);
    const earlier = this.#places.get(key);
    if (earlier === undefined) this.#places.set(key, [place]);
    else earlier.push(place);
    const isKept = earlier === undefined && words.length >= LEAST_WORDS && place < MOST_INDEXED;
    this.#shingles.push(isKept ? shinglesOf(words) : null);
    return place;
  }

  /** Places of texts that are the same, where there are several. */
  equal(): number[][] {
    return [...this.#places.values()].filter(({ length }) => length > 1);
  }

  /** The first text that is the same, or the most alike of those that are alike. */
  match(words: Uint32Array, least: number): { readonly place: number; readonly similarity: number } | null {
    const first = this.#places.get(sequenceKey(words))?.[0];
    if (first !== undefined) return { place: first, similarity: 1 };
    if (words.length < LEAST_WORDS) return null;
    const own = shinglesOf(words);
    const places = bandsOf(own).map((hash, band) => {
      const keys = this.#indexed()[band]!;
      const low = firstFrom(keys.length, (at) => keys[at]! >= hash * MOST_INDEXED);
      const bucket = keys.subarray(low, low + MOST_COMPARED).filter((key) => key < (hash + 1) * MOST_INDEXED);
      return Array.from(bucket, (key) => key % MOST_INDEXED);
    });
    const alike = places
      .flat()
      .map((place) => ({ place, similarity: shingleSimilarity(own, this.#shingles[place]!) }))
      .filter(({ similarity }) => similarity >= least && similarity > 0);
    return alike.sort((a, b) => b.similarity - a.similarity)[0] ?? null;
  }

  /** Groups of different texts, by their places, of which each is alike to another. */
  near(least: number): number[][] {
    const sets = new DisjointSets();
    const areAlike = (one: number, other: number): boolean => {
      const [root, otherRoot] = [sets.rootOf(one), sets.rootOf(other)];
      if (root === otherRoot) return true;
      if (shingleSimilarity(this.#shingles[other]!, this.#shingles[one]!) < least) return false;
      sets.join(Math.min(root, otherRoot), Math.max(root, otherRoot));
      return true;
    };
    for (const keys of this.#indexed())
      for (let from = 0, to = 0; from < keys.length; from = to) {
        const end = (Math.floor(keys[from]! / MOST_INDEXED) + 1) * MOST_INDEXED;
        const compared: number[] = [];
        for (to = from; to < keys.length && keys[to]! < end; to += 1) {
          const place = keys[to]! % MOST_INDEXED;
          const isFound = compared.some((other) => areAlike(other, place));
          if (!isFound && compared.length < MOST_COMPARED) compared.push(place);
        }
      }
    const groups = Map.groupBy(this.#shingles.keys(), (place) => sets.rootOf(place));
    return [...groups.values()].filter(({ length }) => length > 1);
  }

  /** The shingles of a text that has enough words and is not the same as an earlier one. */
  shingles(place: number): Uint32Array | null {
    return this.#shingles[place] ?? null;
  }

  #indexed(): readonly Float64Array[] {
    if (this.#index !== null) return this.#index;
    const places = [...this.#shingles.keys()].filter((place) => this.#shingles[place] !== null);
    const index = Array.from({ length: BANDS }, () => new Float64Array(places.length));
    for (const [at, place] of places.entries())
      for (const [band, hash] of bandsOf(this.#shingles[place]!).entries())
        index[band]![at] = hash * MOST_INDEXED + place;
    return (this.#index = index.map((keys) => keys.sort()));
  }
}

/**
 * MinHash signatures in bands (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, ch. 3): texts that
 * share a band may be alike. With 16 bands of 4 a pair of similarity s shares one with probability 1 - (1 - s^4)^16: 0.9998
 * at 0.8, 0.12 at 0.3. The seeds are fixed, so the answer is too.
 */
const BANDS = 16;
const ROWS = 4;
/** Turns the order of unsigned numbers into that of signed ones, which are quicker to compare. */
const SIGN = 0x80000000 | 0;
/** With the sign turned: an odd factor leaves it turned. */
const SEEDS = Int32Array.from({ length: BANDS * ROWS }, (_, at) => Math.imul(at + 1, 0x9e3779b1) ^ SIGN);
const FACTORS = Int32Array.from({ length: BANDS * ROWS }, (_, at) => Math.imul(at + 77, 0x85ebca77) | 1);
/** The low bits of a product, which are all that its last step changes. */
const LOW = 0x1ffff;

/** The smallest hash of all shingles under each of 64 functions, four and four put together. */
function bandsOf(own: Uint32Array): number[] {
  const bands: number[] = [];
  for (let band = 0; band < BANDS; band += 1) {
    let hash = band;
    for (let row = band * ROWS; row < (band + 1) * ROWS; row += 1) {
      const [seed, factor] = [SEEDS[row]!, FACTORS[row]!];
      let least = 0x7fffffff;
      for (let each = 0; each < own.length; each += 1) {
        const product = Math.imul(own[each]! ^ seed, factor);
        // Most products are too large by their high bits already, and only the rest take the last step.
        if (product <= (least | LOW)) least = Math.min(least, product ^ ((product ^ SIGN) >>> 15));
      }
      hash = Math.imul(hash ^ least ^ SIGN, 0x01000193) ^ (hash >>> 11);
    }
    bands.push(hash >>> 0);
  }
  return bands;
}
