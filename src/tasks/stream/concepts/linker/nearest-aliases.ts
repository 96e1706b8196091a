import { type AliasScore, BestAliases } from './best-aliases.ts';
import { BAND_SIZE } from './build-bands.ts';
import type { Band, LinkerIndex } from './linker-index.ts';
import { addPostings, type Sums } from './postings.ts';
import { type QueryVector, queryVector } from './query-vector.ts';

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
export class NearestAliases {
  readonly #index: LinkerIndex;
  readonly #bytesPerLookup: number;
  readonly #sums: Sums = { values: new Float64Array(BAND_SIZE), met: new Uint16Array(BAND_SIZE), metCount: 0 };
  /** By code of a trigram: its place in the query plus one, 0 for those that are not in it. */
  readonly #places: Uint32Array;
  /** How often an alias has each trigram of the query, from 1 on; what is at 0 is of no interest. */
  readonly #counts: Uint32Array;
  readonly #codes: Int32Array;

  /** `bytesPerLookup` changes how long it takes and nothing else. */
  constructor(index: LinkerIndex, bytesPerLookup: number = BYTES_PER_LOOKUP) {
    this.#index = index;
    this.#bytesPerLookup = bytesPerLookup;
    this.#places = new Uint32Array(index.vocabulary.codes.size);
    this.#counts = new Uint32Array(index.vocabulary.trigrams.length + 1);
    const { starts } = index.aliases;
    let most = 0;
    for (let at = 0; at < index.indexedCount; at += 1) most = Math.max(most, starts[at + 1]! - starts[at]!);
    this.#codes = new Int32Array(most);
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
    const { norms } = this.#index;
    const length = query.trigrams.length;
    sums.metCount = 0;
    let next = 0;
    for (; next < length && newcomerBound(query, band, next) >= best.floor - SLACK; next += 1)
      addList(band, query, next, sums, true);
    dropBelow(sums, leastSum(query, band, next, best.floor));
    for (; next < length && sums.metCount * this.#bytesPerLookup > listBytes(band, query, next); next += 1) {
      addList(band, query, next, sums, false);
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
    const codes = this.#codes;
    const read = vocabulary.codes.read(aliases.bytes, aliases.starts[alias]!, aliases.starts[alias + 1]!, codes);
    const counts = this.#counts;
    const places = this.#places;
    for (let at = 0; at < read; at += 1) counts[places[codes[at]!]!]! += 1;
    let sum = 0;
    for (let at = 0; at < query.weights.length; at += 1) {
      sum += query.weights[at]! * counts[at + 1]!;
      counts[at + 1] = 0;
    }
    return sum;
  }

  #enter({ trigrams }: QueryVector): void {
    const { codeOf } = this.#index.vocabulary;
    for (let at = 0; at < trigrams.length; at += 1) this.#places[codeOf[trigrams[at]!]!] = at + 1;
  }

  #leave({ trigrams }: QueryVector): void {
    const { codeOf } = this.#index.vocabulary;
    for (const trigram of trigrams) this.#places[codeOf[trigram]!] = 0;
  }

  /** The score of one alias, also when it is 0. */
  scoreOf(mention: string, alias: number): number {
    const query = queryVector(this.#index.vocabulary, mention);
    if (query === null) return 0;
    this.#enter(query);
    const sum = this.#sumOf(alias, query);
    this.#leave(query);
    return scoreOf(sum, this.#index.norms[alias]!);
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
function dropBelow(sums: Sums, least: number): void {
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

function addList(band: Band, query: QueryVector, at: number, sums: Sums, takesNew: boolean): void {
  const { listStarts, postings } = band;
  const trigram = query.trigrams[at]!;
  addPostings(postings, listStarts[trigram]!, listStarts[trigram + 1]!, query.weights[at]!, sums, takesNew);
}
