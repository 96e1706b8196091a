import { DisjointSets } from './disjoint-sets.ts';
import { BandIndex, BANDS, MOST_INDEXED, putBands } from './min-hash.ts';
import { lentShingles, sequenceKey, shingleSimilarity } from './shingles.ts';

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
      if (words.length >= LEAST_WORDS && place < MOST_INDEXED) this.#keep(place, lentShingles(words));
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
    const own = lentShingles(words);
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
            const first = Math.min(sets.rootOf(other), sets.rootOf(place));
            const second = Math.max(sets.rootOf(other), sets.rootOf(place));
            sets.join(first, second);
            similarities.set(first, similarities.get(first) ?? similarities.get(second) ?? similarity);
            return true;
          });
          if (like === undefined && compared.length < MOST_COMPARED) compared.push(place);
        }
      });
    }
    const groups = new Map<number, number[]>();
    for (const place of sets.others().sort((a, b) => a - b)) {
      const root = sets.rootOf(place);
      const group = groups.get(root);
      if (group === undefined) groups.set(root, [root, place]);
      else group.push(place);
    }
    return [...groups]
      .sort(([a], [b]) => a - b)
      .map(([root, places]) => ({ places, similarity: similarities.get(root) ?? least }));
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
    const [starts, sizes, bands] = [new Int32Array(room), new Uint16Array(room), new Uint32Array(room * BANDS)];
    starts.set(this.#starts);
    sizes.set(this.#sizes);
    bands.set(this.#bands);
    [this.#starts, this.#sizes, this.#bands] = [starts, sizes, bands];
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
