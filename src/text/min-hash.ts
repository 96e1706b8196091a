/**
 * MinHash signatures in bands (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, ch. 3): texts that
 * share a band may be alike. With 16 bands of 4 a pair of similarity s shares one with probability 1 - (1 - s^4)^16: 0.9998
 * at 0.8, 0.12 at 0.3. The seeds are fixed, so the answer is too.
 */
export const BANDS = 16;
const ROWS = 4;

/** Texts in an index: more would not fit beside a 32-bit hash in one exact number. */
export const MOST_INDEXED = 2 ** 21;
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
export function putBands(own: Uint32Array, into: Uint32Array, at: number): void {
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
export class BandIndex {
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
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle]! < hash * MOST_INDEXED) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (let at = low; at < keys.length && found.length < most && keys[at]! < (hash + 1) * MOST_INDEXED; at += 1)
      found.push(this.#places[keys[at]! % MOST_INDEXED]!);
    return found;
  }
}
