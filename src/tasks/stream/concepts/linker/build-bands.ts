import type { Band } from './linker-index.ts';
import { writePosting } from './postings.ts';
import type { PackedTexts } from './text-table.ts';
import { readVector, type Vocabulary, type VectorRoom } from './vocabulary.ts';

/** Sums of a band stay in the processor's cache, and its aliases can be counted in 16 bits. */
export const BAND_SIZE = 1 << 15;

/** What the bands are made of: aliases in their final order, those with an empty vector left out. */
export interface BandInput {
  readonly aliases: PackedTexts;
  readonly norms: Float64Array;
  readonly indexedCount: number;
  readonly vocabulary: Vocabulary;
  readonly room: VectorRoom;
  readonly bandSize: number;
}

/** Cuts the aliases into bands and turns each over: by trigram, the aliases that have it. */
export function* buildBands(input: BandInput): Generator<Band> {
  const pairs = new Pairs();
  const { indexedCount, bandSize } = input;
  for (let first = 0; first < indexedCount; first += bandSize) {
    const count = Math.min(bandSize, indexedCount - first);
    yield buildBand(input, first, count, pairs);
  }
}

function buildBand(input: BandInput, first: number, count: number, pairs: Pairs): Band {
  const { aliases, norms, vocabulary, room } = input;
  const size = vocabulary.trigrams.length;
  const lengths = new Uint32Array(size + 1);
  let maxTf = 0;
  pairs.length = 0;
  for (let alias = 0; alias < count; alias += 1) {
    const start = aliases.starts[first + alias]!;
    maxTf = Math.max(maxTf, readVector(vocabulary, aliases.bytes, start, aliases.starts[first + alias + 1]!, room));
    for (let at = 0; at < room.length; at += 1) {
      pairs.push(alias, room.trigrams[at]!, room.counts[at]!);
      lengths[room.trigrams[at]! + 1]! += 1;
    }
  }
  for (let trigram = 0; trigram < size; trigram += 1) lengths[trigram + 1]! += lengths[trigram]!;
  const sorted = pairs.byTrigram(lengths);
  const { listStarts, postings } = encode(pairs, sorted, lengths);
  const own = norms.subarray(first, first + count);
  const [minNorm, maxNorm] = own.reduce(([low, high], norm) => [Math.min(low, norm), Math.max(high, norm)], [
    Infinity,
    0,
  ] as [number, number]);
  return { first, count, minNorm, maxNorm, maxTf, listStarts, postings };
}

function encode(pairs: Pairs, sorted: Uint32Array, ends: Uint32Array): Pick<Band, 'listStarts' | 'postings'> {
  const size = ends.length - 1;
  const listStarts = new Uint32Array(size + 1);
  // A step takes at most three bytes in a band, a count at most five.
  const out = new Uint8Array(sorted.length * 8);
  let at = 0;
  for (let trigram = 0; trigram < size; trigram += 1) {
    let before = -1;
    for (let pair = ends[trigram]!; pair < ends[trigram + 1]!; pair += 1) {
      const alias = pairs.aliases[sorted[pair]!]!;
      at = writePosting(out, at, alias - before, pairs.counts[sorted[pair]!]!);
      before = alias;
    }
    listStarts[trigram + 1] = at;
  }
  return { listStarts, postings: out.slice(0, at) };
}

/** (alias, trigram, count) of a whole band, used again for the next one. */
class Pairs {
  aliases = new Uint16Array(1 << 16);
  trigrams = new Uint32Array(1 << 16);
  counts = new Uint32Array(1 << 16);
  length = 0;

  push(alias: number, trigram: number, count: number): void {
    if (this.length === this.aliases.length) this.#grow();
    this.aliases[this.length] = alias;
    this.trigrams[this.length] = trigram;
    this.counts[this.length] = count;
    this.length += 1;
  }

  /** Numbers of the pairs by trigram, those of a trigram as they came. `starts` says where each trigram begins. */
  byTrigram(starts: Uint32Array): Uint32Array {
    const next = starts.slice();
    const sorted = new Uint32Array(this.length);
    for (let at = 0; at < this.length; at += 1) {
      const trigram = this.trigrams[at]!;
      sorted[next[trigram]!] = at;
      next[trigram]! += 1;
    }
    return sorted;
  }

  #grow(): void {
    const [aliases, trigrams, counts] = [this.aliases, this.trigrams, this.counts];
    this.aliases = new Uint16Array(aliases.length * 2);
    this.trigrams = new Uint32Array(trigrams.length * 2);
    this.counts = new Uint32Array(counts.length * 2);
    this.aliases.set(aliases);
    this.trigrams.set(trigrams);
    this.counts.set(counts);
  }
}
