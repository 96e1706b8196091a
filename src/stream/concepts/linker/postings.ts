import { UsageError } from '../../../plugin.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import type { BandFacts, IndexArrays } from './linker-index.ts';
import { longerBytes, longestText, type PackedTexts } from './text-table.ts';
import { readVector, type VectorRoom, vectorRoom, type Vocabulary } from './vocabulary.ts';

/** Room for (alias, trigram, count) of a band: a byte of a name gives at most one. */
function entriesOf(most: number) {
  return { aliases: new Uint16Array(most), trigrams: new Uint32Array(most), counts: new Uint32Array(most) };
}

/** Builds the inverted index, band by band: by trigram, the aliases that have it. */
export class InvertedIndex {
  readonly bands: BandFacts[] = [];
  readonly #texts: PackedTexts;
  readonly #norms: Float64Array;
  readonly #vocabulary: Vocabulary;
  readonly #room: VectorRoom;
  readonly #listStarts = new GrowingNumbers();
  #postings: Uint8Array<ArrayBuffer>;
  #end = 0;
  #entries = entriesOf(0);

  constructor(texts: PackedTexts, norms: Float64Array, vocabulary: Vocabulary) {
    this.#texts = texts;
    this.#norms = norms;
    this.#vocabulary = vocabulary;
    this.#room = vectorRoom(longestText(texts));
    // A byte of a name gives at most one posting, of little more than a byte. Memory that is not used costs nothing.
    this.#postings = new Uint8Array(Math.ceil(texts.bytes.length * 1.5));
  }

  addBand(first: number, count: number): void {
    const { bytes, starts } = this.#texts;
    const room = this.#room;
    const most = starts[first + count]! - starts[first]!;
    if (most > this.#entries.aliases.length) this.#entries = entriesOf(most);
    const { aliases, trigrams, counts } = this.#entries;
    let entries = 0;
    const ends = new Uint32Array(this.#vocabulary.idf.length + 1);
    let [minNorm, maxNorm, maxTf] = [Infinity, 0, 0];
    for (let alias = 0; alias < count; alias += 1) {
      const [start, end] = [starts[first + alias]!, starts[first + alias + 1]!];
      maxTf = Math.max(maxTf, readVector(this.#vocabulary, bytes, start, end, room));
      minNorm = Math.min(minNorm, this.#norms[first + alias]!);
      maxNorm = Math.max(maxNorm, this.#norms[first + alias]!);
      for (let at = 0; at < room.length; at += 1) {
        aliases[entries] = alias;
        trigrams[entries] = room.trigrams[at]!;
        counts[entries++] = room.counts[at]!;
        ends[room.trigrams[at]! + 1]! += 1;
      }
    }
    for (let trigram = 1; trigram < ends.length; trigram += 1) ends[trigram]! += ends[trigram - 1]!;
    this.#encode(aliases, trigrams.subarray(0, entries), counts, ends);
    this.bands.push({ first, count, minNorm, maxNorm, maxTf });
  }

  /** `ends`: by trigram, how many entries the trigrams before it have. */
  #encode(aliases: Uint16Array, trigrams: Uint32Array, counts: Uint32Array, ends: Uint32Array): void {
    const next = ends.slice();
    const sorted = new Uint32Array(trigrams.length);
    trigrams.forEach((trigram, at) => {
      sorted[next[trigram]!] = at;
      next[trigram]! += 1;
    });
    // A step takes at most three bytes in a band, a count at most five.
    const needed = this.#end + sorted.length * 8;
    if (needed > this.#postings.length) this.#postings = longerBytes(this.#postings, needed);
    const out = this.#postings;
    let at = this.#end;
    this.#listStarts.push(this.#end);
    for (let trigram = 0; trigram + 1 < ends.length; trigram += 1) {
      let before = -1;
      for (let entry = ends[trigram]!; entry < ends[trigram + 1]!; entry += 1) {
        const alias = aliases[sorted[entry]!]!;
        at = writePosting(out, at, alias - before, counts[sorted[entry]!]!);
        before = alias;
      }
      this.#listStarts.push(at);
    }
    this.#end = at;
    if (at >= 2 ** 32)
      throw new UsageError('the index would have more than 4 GiB of postings', 'index only a part of it');
  }

  arrays(): Pick<IndexArrays, 'listStarts' | 'postings'> {
    return { listStarts: this.#listStarts.values(), postings: this.#postings.subarray(0, this.#end) };
  }
}

/**
 * Postings of one trigram in one band: the aliases that have it, counted from the band's first one, in rising order.
 * Each is a step from the one before (from -1 at the beginning), less one, doubled, and one more if the trigram is in
 * the alias several times; then the count, less two, follows. Numbers are varints, seven bits a byte, the lowest first.
 * Steps are short in the long lists that make up most of an index: little more than a byte a posting.
 */
function writePosting(out: Uint8Array, from: number, step: number, count: number): number {
  const at = writeVarint(out, from, (step - 1) * 2 + (count > 1 ? 1 : 0));
  return count > 1 ? writeVarint(out, at, count - 2) : at;
}

function writeVarint(out: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out[at++] = (rest & 0x7f) | 0x80;
  out[at++] = rest;
  return at;
}

/** What is being added up over the aliases of a band. */
export interface PostingSums {
  /** What each alias of the band has so far; 0 for those not met, or no longer looked at. */
  readonly values: Float64Array;
  /** Those met, in the order in which they were. */
  readonly met: Uint16Array;
  metCount: number;
}

/**
 * Adds `weight`, times how often the trigram is in it, to every alias of a list. Those not met before are noted, or
 * passed over unless `takesNew`.
 */
export function addPostings(
  bytes: Uint8Array,
  start: number,
  end: number,
  weight: number,
  sums: PostingSums,
  takesNew: boolean,
): void {
  const { values, met } = sums;
  let metCount = sums.metCount;
  let alias = -1;
  for (let at = start; at < end;) {
    let code = bytes[at++]!;
    if (code >= 0x80) {
      code &= 0x7f;
      for (let shift = 7; ; shift += 7) {
        const byte = bytes[at++]!;
        code |= (byte & 0x7f) << shift;
        if (!(byte >= 0x80)) break;
      }
    }
    alias += (code >> 1) + 1;
    let added = weight;
    if ((code & 1) === 1) {
      let count = 2;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!;
        count += (byte & 0x7f) << shift;
        if (!(byte >= 0x80)) break;
      }
      added = weight * count;
    }
    const sum = values[alias]!;
    if (sum === 0) {
      if (!takesNew) continue;
      met[metCount++] = alias;
    }
    values[alias] = sum + added;
  }
  sums.metCount = metCount;
}
