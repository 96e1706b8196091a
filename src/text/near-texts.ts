import { BandIndex, BANDS, bandsOf, MOST_INDEXED } from './min-hash.ts';
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

/**
 * Finds equal and nearly equal texts among many: MinHash over word shingles in bands, and every pair that is found so is
 * compared by its shingles. Keeps hashes only.
 */
export class NearTexts {
  readonly #byKey = new Map<number, number[]>();
  /** Of each text that was new, its place, its shingles (null: too short) and its bands. */
  readonly #shingles: (Uint32Array | null)[] = [];
  #bands = new Uint32Array(BANDS * 64);
  #index: readonly BandIndex[] | null = null;

  /** Takes the words of a text; gives the place of that text, counted from 0. */
  add(words: Uint32Array): number {
    const place = this.#shingles.length;
    const key = sequenceKey(words);
    const equal = this.#byKey.get(key);
    this.#index = null;
    if (equal !== undefined) {
      equal.push(place);
      this.#shingles.push(null);
      return place;
    }
    this.#byKey.set(key, [place]);
    const own = words.length < LEAST_WORDS || place >= MOST_INDEXED ? null : shinglesOf(words);
    this.#shingles.push(own);
    if (own !== null) this.#setBands(place, own);
    return place;
  }

  get size(): number {
    return this.#shingles.length;
  }

  /** Places of texts that are the same, where there are several. */
  equal(): number[][] {
    return [...this.#byKey.values()].filter(({ length }) => length > 1);
  }

  /** The first text that is the same, or the most alike of those that are alike. */
  match(words: Uint32Array, least: number): NearText | null {
    const equal = this.#byKey.get(sequenceKey(words));
    if (equal !== undefined) return { place: equal[0]!, similarity: 1 };
    if (words.length < LEAST_WORDS) return null;
    const own = shinglesOf(words);
    const bands = bandsOf(own);
    let best: NearText | null = null;
    for (const [band, index] of this.#indexed().entries()) {
      for (const place of index.places(bands[band]!, MOST_COMPARED)) {
        const similarity = shingleSimilarity(own, this.#shingles[place]!);
        if (similarity >= least && similarity > (best?.similarity ?? 0)) best = { place, similarity };
      }
    }
    return best;
  }

  /** Different texts of which each is alike to another of its group. */
  near(least: number): NearGroup[] {
    const parents = new Map<number, number>();
    const similarities = new Map<number, number>();
    const rootOf = (place: number): number => {
      let root = place;
      for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
      if (root !== place) parents.set(place, root);
      return root;
    };
    for (const index of this.#indexed()) {
      index.eachBucket((places) => {
        const compared: number[] = [];
        for (const place of places) {
          const like = compared.find((other) => {
            if (rootOf(other) === rootOf(place)) return true;
            const similarity = shingleSimilarity(this.#shingles[place]!, this.#shingles[other]!);
            if (similarity < least) return false;
            const first = Math.min(rootOf(other), rootOf(place));
            const second = Math.max(rootOf(other), rootOf(place));
            parents.set(second, first);
            similarities.set(first, similarities.get(first) ?? similarities.get(second) ?? similarity);
            return true;
          });
          if (like === undefined && compared.length < MOST_COMPARED) compared.push(place);
        }
      });
    }
    const groups = new Map<number, number[]>();
    for (const place of [...parents.keys()].sort((a, b) => a - b)) {
      const root = rootOf(place);
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
    return this.#shingles[place] ?? null;
  }

  #setBands(place: number, own: Uint32Array): void {
    if ((place + 1) * BANDS > this.#bands.length) {
      const wider = new Uint32Array(Math.max(this.#bands.length * 2, (place + 1) * BANDS));
      wider.set(this.#bands);
      this.#bands = wider;
    }
    this.#bands.set(bandsOf(own), place * BANDS);
  }

  #indexed(): readonly BandIndex[] {
    if (this.#index === null) {
      const places = this.#shingles.flatMap((own, place) => (own === null ? [] : [place]));
      this.#index = Array.from({ length: BANDS }, (_, band) => new BandIndex(places, this.#bands, band));
    }
    return this.#index;
  }
}
