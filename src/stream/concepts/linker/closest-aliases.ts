import { BAND_SIZE, type Band, type LinkerIndex } from './linker-index.ts';
import { addPostings, type PostingSums } from './postings.ts';
import { longestText, packedText } from './text-table.ts';
import { readVector, vectorNorm, vectorRoom, type Vocabulary } from './vocabulary.ts';

interface AliasScore {
  readonly alias: number;
  readonly score: number;
}

/** Bounds are sums of rounded numbers: what is this near to the floor is looked at. */
const SLACK = 1e-9;
/** Scores are cut here, so that an exact match has 1 and equal vectors have equal scores. */
const SCORE_STEPS = 1e12;
/** To look an alias up in its text takes about as long as so many bytes of postings. */
const BYTES_PER_LOOKUP = 80;

/**
 * The k aliases with the greatest cosine to a mention, of those with a score above 0 and not below `floor`, the best
 * first. Exact: whatever is passed over is proved to be below the floor, or below the k best that were found.
 *
 * With unit vectors q and a, what an alias can still get from trigrams not yet looked at is at most the length of the
 * rest of q (Cauchy-Schwarz), and at most the rest's weights times the greatest count in the band over the alias's norm.
 * So rare trigrams, whose lists are short and whose weights are great, are read first; once the rest is below the floor
 * no new alias can reach it, and those that were met are looked up in their text as soon as that is less work than
 * reading on. Whole bands of aliases that are too short or too long for the mention are not read at all.
 */
export class ClosestAliases {
  readonly #index: LinkerIndex;
  readonly #bytesPerLookup: number;
  readonly #sums: PostingSums = { values: new Float64Array(BAND_SIZE), met: new Uint16Array(BAND_SIZE), metCount: 0 };
  /** By trigram: its place in the query plus one, 0 for those that are not in it. */
  readonly #places: Uint32Array;
  /** How often an alias has each trigram of the query, from 1 on; what is at 0 is of no interest. */
  readonly #counts: Uint32Array;
  /** The trigrams of an alias. */
  readonly #read: Int32Array;

  /** `bytesPerLookup` changes how long it takes and nothing else. */
  constructor(index: LinkerIndex, bytesPerLookup: number = BYTES_PER_LOOKUP) {
    this.#index = index;
    this.#bytesPerLookup = bytesPerLookup;
    this.#places = new Uint32Array(index.vocabulary.idf.length);
    this.#counts = new Uint32Array(index.vocabulary.idf.length + 1);
    this.#read = new Int32Array(longestText(index.aliases));
  }

  find(mention: string, k: number, floor: number): AliasScore[] {
    const query = queryVector(this.#index.vocabulary, mention);
    if (query === null || k < 1) return [];
    const best = new BestAliases(this.#index, k, floor);
    this.#enter(query);
    // The most promising bands first: what they give raises the floor for the others.
    const bands = this.#index.bands
      .map((band) => ({ band, bound: bandBound(query, band) }))
      .sort((a, b) => b.bound - a.bound);
    for (const { band, bound } of bands) if (bound >= best.floor - SLACK) this.#searchBand(band, query, best);
    this.#leave(query);
    return best.list();
  }

  #searchBand(band: Band, query: QueryVector, best: BestAliases): void {
    const sums = this.#sums;
    const { norms, postings } = this.#index.arrays;
    const length = query.trigrams.length;
    sums.metCount = 0;
    let next = 0;
    for (; next < length && newcomerBound(query, band, next) >= best.floor - SLACK; next += 1)
      addList(postings, band, query, next, sums, true);
    dropBelow(sums, leastSum(query, band, next, best.floor));
    for (; next < length && sums.metCount * this.#bytesPerLookup > listBytes(band, query, next); next += 1) {
      addList(postings, band, query, next, sums, false);
      dropBelow(sums, leastSum(query, band, next + 1, best.floor));
    }
    for (let at = 0; at < sums.metCount; at += 1) {
      const place = sums.met[at]!;
      const alias = band.first + place;
      const sum = next === length ? sums.values[place]! : this.#sumOf(alias, query);
      sums.values[place] = 0;
      best.offer(alias, scoreOf(sum, norms[alias]!));
    }
  }

  /** The whole sum of an alias from its text, added up in the order in which postings add it up. */
  #sumOf(alias: number, query: QueryVector): number {
    const { aliases, vocabulary } = this.#index;
    const trigrams = this.#read;
    const read = vocabulary.numbers.read(aliases.bytes, aliases.starts[alias]!, aliases.starts[alias + 1]!, trigrams);
    const counts = this.#counts;
    const places = this.#places;
    for (let at = 0; at < read; at += 1) counts[places[trigrams[at]!]!]! += 1;
    let sum = 0;
    for (let at = 0; at < query.weights.length; at += 1) {
      sum += query.weights[at]! * counts[at + 1]!;
      counts[at + 1] = 0;
    }
    return sum;
  }

  #enter({ trigrams }: QueryVector): void {
    for (let at = 0; at < trigrams.length; at += 1) this.#places[trigrams[at]!] = at + 1;
  }

  #leave({ trigrams }: QueryVector): void {
    for (const trigram of trigrams) this.#places[trigram] = 0;
  }
}

function scoreOf(sum: number, norm: number): number {
  return Math.min(1, Math.round((sum / norm) * SCORE_STEPS) / SCORE_STEPS);
}

/**
 * What an alias of the band must have, with the trigrams from `next` on still to come, to reach the floor f in the end:
 * sum / norm + min(rest of q, greatest count · rest of weights / norm) >= f, for any norm that the band has.
 */
function leastSum({ restNorms, restWeights }: QueryVector, band: Band, next: number, floor: number): number {
  const needed = floor - SLACK - restNorms[next]!;
  return Math.max(
    needed * (needed > 0 ? band.minNorm : band.maxNorm),
    (floor - SLACK) * band.minNorm - band.maxTf * restWeights[next]!,
  );
}

/** Forgets the aliases that have less. */
function dropBelow(sums: PostingSums, least: number): void {
  const { values, met, metCount } = sums;
  let kept = 0;
  for (let at = 0; at < metCount; at += 1) {
    const place = met[at]!;
    if (values[place]! >= least) met[kept++] = place;
    else values[place] = 0;
  }
  sums.metCount = kept;
}

/** What an alias of the band can have that shares no trigram before `next` with the query. */
function newcomerBound(query: QueryVector, band: Band, next: number): number {
  return Math.min(query.restNorms[next]!, (band.maxTf * query.restWeights[next]!) / band.minNorm);
}

/** Besides: Σ count in q · count in a · idf² is at most the greatest count in q times the square of a's norm. */
function bandBound(query: QueryVector, band: Band): number {
  return Math.min(newcomerBound(query, band, 0), (query.maxTf * band.maxNorm) / query.norm);
}

function listBytes({ listStarts }: Band, { trigrams }: QueryVector, at: number): number {
  return listStarts[trigrams[at]! + 1]! - listStarts[trigrams[at]!]!;
}

function addList(
  postings: Uint8Array,
  { listStarts }: Band,
  query: QueryVector,
  at: number,
  sums: PostingSums,
  takesNew: boolean,
): void {
  const trigram = query.trigrams[at]!;
  addPostings(postings, listStarts[trigram]!, listStarts[trigram + 1]!, query.weights[at]!, sums, takesNew);
}

/** A mention as its trigrams, the rarest first. Alias a has score Σ weight · count in a / norm of a. */
interface QueryVector {
  readonly trigrams: Int32Array;
  /** count · idf² / norm: what a trigram that is once in an alias adds, before the division by the alias's norm. */
  readonly weights: Float64Array;
  /** From this trigram on: the length of the rest of the query's vector, which is 1 as a whole. */
  readonly restNorms: Float64Array;
  /** From this trigram on: the sum of the weights. */
  readonly restWeights: Float64Array;
  /** Length of the vector before it was made 1. */
  readonly norm: number;
  /** How often one trigram is in the mention, at most. */
  readonly maxTf: number;
}

const encoder = new TextEncoder();

/** Null if no trigram of the mention is in the vocabulary. */
function queryVector(vocabulary: Vocabulary, mention: string): QueryVector | null {
  const bytes = encoder.encode(mention);
  const room = vectorRoom(bytes.length);
  const maxTf = readVector(vocabulary, bytes, 0, bytes.length, room);
  if (maxTf === 0) return null;
  const norm = vectorNorm(vocabulary, room);
  const { idf } = vocabulary;
  // Trigrams of one idf in the order of their numbers: the same mention is always added up in the same order.
  const order = Array.from({ length: room.length }, (_, at) => at).sort(
    (a, b) => idf[room.trigrams[b]!]! - idf[room.trigrams[a]!]! || a - b,
  );
  const weights = new Float64Array(order.length);
  const restNorms = new Float64Array(order.length + 1);
  const restWeights = new Float64Array(order.length + 1);
  let squares = 0;
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const count = room.counts[order[at]!]!;
    const weight = idf[room.trigrams[order[at]!]!]!;
    weights[at] = (count * weight * weight) / norm;
    squares += (count * weight) ** 2;
    restNorms[at] = Math.sqrt(squares) / norm;
    restWeights[at] = restWeights[at + 1]! + weights[at]!;
  }
  return {
    trigrams: Int32Array.from(order, (at) => room.trigrams[at]!),
    weights,
    restNorms,
    restWeights,
    norm,
    maxTf,
  };
}

/**
 * The best k of the aliases that are offered. Of equal scores the alias that comes first by its text is the better one,
 * so that the order of the knowledge base does not decide what is linked.
 */
class BestAliases {
  readonly #index: LinkerIndex;
  readonly #k: number;
  readonly #floor: number;
  readonly #best: AliasScore[] = [];

  constructor(index: LinkerIndex, k: number, floor: number) {
    this.#index = index;
    this.#k = k;
    this.#floor = floor;
  }

  /** No lower score can come in. */
  get floor(): number {
    return this.#best.length < this.#k ? this.#floor : Math.max(this.#floor, this.#best.at(-1)!.score);
  }

  offer(alias: number, score: number): void {
    if (score < this.floor || score <= 0) return;
    let at = this.#best.length;
    while (at > 0 && this.#isBetter(alias, score, this.#best[at - 1]!)) at -= 1;
    this.#best.splice(at, 0, { alias, score });
    if (this.#best.length > this.#k) this.#best.pop();
  }

  list(): AliasScore[] {
    return [...this.#best];
  }

  #isBetter(alias: number, score: number, other: AliasScore): boolean {
    if (score !== other.score) return score > other.score;
    return packedText(this.#index.aliases, alias) < packedText(this.#index.aliases, other.alias);
  }
}
