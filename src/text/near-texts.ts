import { firstFrom } from './compare.ts';
import { DisjointSets } from './disjoint-sets.ts';
import { KeyIndex } from './key-index.ts';
import { sequenceKey, shinglesOf, shingleSimilarity, spread } from './shingles.ts';

/** Shorter texts are alike by chance: of these only equal ones are found. */
export const LEAST_WORDS = 8;
/** A bucket that many different texts fall into is one of common phrases: comparing all with all would never end. */
const MOST_COMPARED = 8;
/** Texts in an index: more would not fit beside a 32-bit hash in one exact number. */
const MOST_INDEXED = 2 ** 21;
/** Shingles, or units, that are kept in one list: a list for each text would take more room than what it holds. */
const ROOM = 1 << 16;
/** Enough of a text to know it again. */
const OPENING = 80;

/** A text that others are compared with: a room, its shingles in it from and to, and so many units of its opening after them. */
type Sketch = Readonly<{ place: number; key: number; room: Uint32Array; from: number; to: number; units: number }>;

/**
 * What is kept of texts: the keys of different ones, the first place of each and whether it is long; the places of those
 * met again, by the first; and of those that are compared a sketch each, one after another.
 */
export type SavedTexts = Readonly<{
  places: number;
  keys: Float64Array;
  firsts: Float64Array;
  isLong: Uint8Array;
  again: ReadonlyMap<number, readonly number[]>;
  sketches: Readonly<{
    places: Float64Array;
    sizes: Uint16Array;
    shingles: Uint32Array;
    units: Uint8Array;
    openings: Uint16Array;
  }>;
}>;

/**
 * Finds equal and nearly equal texts among many: MinHash over word shingles in bands, and every pair that is found so is
 * compared by its shingles. Keeps hashes only. A text is named by its place, in the order they are added.
 * Of more than `most` different texts that are long enough, equal ones are found among all, and nearly equal ones among
 * those with the smallest hashes: a sample that does not depend on the order in which they came.
 */
export class NearTexts {
  readonly #most: number;
  /** Different texts by the key of their words; the first place of each, and all places of those met again. */
  readonly #keys = new KeyIndex();
  readonly #firsts: number[] = [];
  readonly #isLong: boolean[] = [];
  readonly #again = new Map<number, number[]>();
  #places = 0;
  #sketches: Sketch[] = [];
  readonly #rooms: Uint32Array[] = [];
  #at = 0;
  #used = 0;
  /** Keys from here on are not in the sample. */
  #limit = Infinity;
  /** Different texts that are long enough to be nearly equal to another. */
  long = 0;
  /** For each band the sketches as hash x 2^21 + number, in rising order. */
  #index: readonly Float64Array[] | null = null;

  constructor(most = MOST_INDEXED) {
    this.#most = most;
  }

  /** Takes the words of a text, and its UTF-16 units where its opening is to be kept; gives its place. */
  add(words: Uint32Array, units: Uint16Array = new Uint16Array(), length = 0): number {
    const place = this.#places;
    this.#places += 1;
    const key = sequenceKey(words);
    const isLong = words.length >= LEAST_WORDS;
    if (!this.#isFirst(key, place, isLong) || !isLong || key >= this.#limit) return place;
    this.#sketch(place, key, shinglesOf(words), units, Math.min(length, OPENING));
    return place;
  }

  /** Whether the text at a place is the first with its key. */
  #isFirst(key: number, place: number, isLong: boolean): boolean {
    const number = this.#keys.add(key);
    const first = this.#firsts[number];
    if (first !== undefined) {
      const known = this.#again.get(first);
      if (known === undefined) this.#again.set(first, [first, place]);
      else known.push(place);
      return false;
    }
    this.#firsts.push(place);
    this.#isLong.push(isLong);
    if (isLong) this.long += 1;
    return true;
  }

  #sketch(place: number, key: number, shingles: Uint32Array, opening: Uint16Array, units: number): void {
    this.#index = null;
    this.#hold(place, key, shingles, opening, units);
    if (this.#sketches.length >= 1.25 * this.#most) this.#thin();
  }

  save(): SavedTexts {
    const sketches = {
      places: Float64Array.from(this.#sketches, ({ place }) => place),
      sizes: Uint16Array.from(this.#sketches, ({ from, to }) => to - from),
      shingles: joinLists(this.#sketches.map(shinglesIn), (length) => new Uint32Array(length)),
      units: Uint8Array.from(this.#sketches, ({ units }) => units),
      openings: joinLists(this.#sketches.map(openingIn), (length) => new Uint16Array(length)),
    };
    const firsts = Float64Array.from(this.#firsts);
    const isLong = Uint8Array.from(this.#isLong, Number);
    return { places: this.#places, keys: this.#keys.keys(), firsts, isLong, again: this.#again, sketches };
  }

  /**
   * Adds texts that follow, the first `most` of them if all are compared; gives the places of those that were first there
   * and are not here.
   */
  merge({ places, keys, firsts, isLong, again, sketches }: SavedTexts, most = Infinity): number[] {
    const before = this.#places;
    const met: number[] = [];
    let [sketch, shingle, unit] = [0, 0, 0];
    for (let number = 0; number < keys.length && firsts[number]! < most; number += 1) {
      const [key, first] = [keys[number]!, firsts[number]!];
      const isNew = this.#isFirst(key, before + first, isLong[number] === 1);
      if (!isNew) met.push(before + first);
      for (const place of again.get(first)?.slice(1) ?? [])
        if (place < most) this.#isFirst(key, before + place, isLong[number] === 1);
      if (sketches.places[sketch] !== first) continue;
      const shingles = sketches.shingles.subarray(shingle, (shingle += sketches.sizes[sketch]!));
      const opening = sketches.openings.subarray(unit, (unit += sketches.units[sketch]!));
      sketch += 1;
      if (isNew && key < this.#limit) this.#sketch(before + first, key, shingles, opening, opening.length);
    }
    this.#places += Math.min(places, most);
    return met;
  }

  /** Whether the text at the place that was added last is the first of its kind. */
  isNew(place: number): boolean {
    return this.#firsts.at(-1) === place;
  }

  /** Different texts that are too short to be nearly equal to another. */
  get short(): number {
    return this.#keys.size - this.long;
  }

  /** How many of the long ones are compared with each other. */
  get compared(): number {
    return Math.min(this.long, this.#most);
  }

  /** Places of texts that are the same, where there are several. */
  equal(): number[][] {
    return [...this.#again].sort(([a], [b]) => a - b).map(([, places]) => places);
  }

  /** The first text that is the same, or the most alike of those that are alike. */
  match(words: Uint32Array, least: number): { readonly place: number; readonly similarity: number } | null {
    const first = this.#firsts[this.#keys.find(sequenceKey(words))];
    if (first !== undefined) return { place: first, similarity: 1 };
    if (words.length < LEAST_WORDS) return null;
    const own = shinglesOf(words);
    const index = this.#indexed();
    const numbers = [...bandsOf(own)].flatMap((hash, band) => {
      const keys = index[band]!;
      const low = firstFrom(keys.length, (at) => keys[at]! >= hash * MOST_INDEXED);
      const bucket = keys.subarray(low, low + MOST_COMPARED).filter((key) => key < (hash + 1) * MOST_INDEXED);
      return Array.from(bucket, (key) => key % MOST_INDEXED);
    });
    const alike = numbers
      .map((number) => this.#sketches[number]!)
      .map((other) => ({ place: other.place, similarity: shingleSimilarity(own, shinglesIn(other)) }))
      .filter(({ similarity }) => similarity >= least && similarity > 0);
    return alike.sort((a, b) => b.similarity - a.similarity)[0] ?? null;
  }

  /** Groups of different texts, by their places, of which each is alike to another. */
  near(least: number): number[][] {
    const sets = new DisjointSets();
    const joined = new Set<number>();
    const areAlike = (one: number, other: number): boolean => {
      const [root, otherRoot] = [sets.rootOf(one), sets.rootOf(other)];
      if (root === otherRoot) return true;
      if (shingleSimilarity(shinglesIn(this.#sketches[other]!), shinglesIn(this.#sketches[one]!)) < least) return false;
      sets.join(Math.min(root, otherRoot), Math.max(root, otherRoot));
      joined.add(one).add(other);
      return true;
    };
    for (const keys of this.#indexed())
      for (let from = 0, to = 0; from < keys.length; from = to) {
        to = from + 1;
        // Most are alone, and this is quicker to see.
        if (to === keys.length || keys[to]! - keys[from]! >= MOST_INDEXED) continue;
        const end = (Math.floor(keys[from]! / MOST_INDEXED) + 1) * MOST_INDEXED;
        if (keys[to]! >= end) continue;
        const compared: number[] = [];
        for (to = from; to < keys.length && keys[to]! < end; to += 1) {
          const number = keys[to]! % MOST_INDEXED;
          const isFound = compared.some((other) => areAlike(other, number));
          if (!isFound && compared.length < MOST_COMPARED) compared.push(number);
        }
      }
    const groups = Map.groupBy(
      [...joined].sort((a, b) => a - b),
      (number) => sets.rootOf(number),
    );
    return [...groups.values()].map((numbers) => numbers.map((number) => this.#sketches[number]!.place));
  }

  /** The shingles of the texts that are compared, in the order in which they were added. */
  sketches(): { readonly place: number; readonly shingles: Uint32Array }[] {
    this.#indexed();
    return this.#sketches.map((own) => ({ place: own.place, shingles: shinglesIn(own) }));
  }

  /** How the text at a place begins; empty for one that is not compared. */
  openingAt(place: number): string {
    this.#indexed();
    const found = this.#sketches[firstFrom(this.#sketches.length, (at) => this.#sketches[at]!.place >= place)];
    return found?.place === place ? openingOf(openingIn(found)) : '';
  }

  #indexed(): readonly Float64Array[] {
    if (this.#index !== null) return this.#index;
    if (this.#sketches.length > this.#most) this.#thin();
    const index = Array.from({ length: BANDS }, () => new Float64Array(this.#sketches.length));
    for (let number = 0; number < this.#sketches.length; number += 1) {
      const { room, from, to } = this.#sketches[number]!;
      const bands = bandsOf(room, from, to);
      for (let band = 0; band < BANDS; band += 1) index[band]![number] = bands[band]! * MOST_INDEXED + number;
    }
    return (this.#index = index.map((keys) => keys.sort()));
  }

  #hold(place: number, key: number, shingles: Uint32Array, opening: Uint16Array, units: number): void {
    const width = shingles.length + ((units + 1) >> 1);
    if (this.#used + width > ROOM) [this.#at, this.#used] = [this.#at + 1, 0];
    const room = (this.#rooms[this.#at] ??= new Uint32Array(ROOM));
    const from = this.#used;
    const to = from + shingles.length;
    room.set(shingles, from);
    for (let unit = 0; unit < units; unit += 2)
      room[to + (unit >> 1)] = opening[unit]! | ((opening[unit + 1] ?? 0) << 16);
    this.#used = from + width;
    this.#sketches.push({ place, key, room, from, to, units });
  }

  /** Keeps those with the smallest keys: they move up to where others have been. */
  #thin(): void {
    this.#limit = this.#sketches.map(({ key }) => key).sort((a, b) => a - b)[this.#most] ?? Infinity;
    const before = this.#sketches;
    this.#sketches = [];
    this.#at = this.#used = 0;
    for (const own of before)
      if (own.key < this.#limit) this.#hold(own.place, own.key, shinglesIn(own), openingIn(own), own.units);
  }
}

function shinglesIn({ room, from, to }: Sketch): Uint32Array {
  return room.subarray(from, to);
}

/** One list after another in one. */
function joinLists<List extends Uint16Array | Uint32Array>(
  lists: readonly List[],
  make: (length: number) => List,
): List {
  const all = make(lists.reduce((length, list) => length + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

function openingIn({ room, to, units }: Sketch): Uint16Array {
  return new Uint16Array(room.buffer, 4 * to, units);
}

/** How a text begins, given its units. */
export function openingOf(units: Uint16Array): string {
  // It may end within a pair.
  return String.fromCharCode(...units.subarray(0, OPENING)).toWellFormed();
}

/**
 * MinHash signatures in bands (Broder 1997; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, ch. 3): texts that
 * share a band may be alike. With 16 bands of 4 a pair of similarity s shares one with probability 1 - (1 - s^4)^16: 0.9998
 * at 0.8, 0.12 at 0.3. The 64 numbers come from one hash (Li, Owen and Zhang 2012): the smallest shingle in each of 64
 * bins, and for an empty bin that of another one, which goes by the bin alone (Shrivastava 2017).
 */
const BANDS = 16;
const ROWS = 4;
const BINS = BANDS * ROWS;
const TRIES = 8 * BINS;
/** For each bin the bins that it looks at when it is empty, one after another. */
const OTHER_BINS = Uint8Array.from({ length: BINS * TRIES }, (_, at) => spread(at + 1) % BINS);
const smallestIn = new Uint32Array(BINS);
const isFilled = new Uint8Array(BINS);
const bandHashes = new Uint32Array(BANDS);

/** A hash for each band, valid until the next call. Shingles come in rising order. */
function bandsOf(shingles: Uint32Array, from = 0, to = shingles.length): Uint32Array {
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
