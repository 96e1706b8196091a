import { cutKind, type SymbolText, symbolKind, type TextFolder } from './folded-text.ts';
import { EditColumns, mostEdits } from './levenshtein.ts';
import { matchingEnds } from './matching-words.ts';

/** The symbols of a text from `from` up to, not including, `to`, and how similar they are to a quote. */
export interface FuzzyPlace {
  readonly from: number;
  readonly to: number;
  readonly similarity: number;
}

interface RankedPlace extends FuzzyPlace {
  readonly edits: number;
  /** Breaks ties between places with the same number of edits: lower is better. */
  readonly rank: number;
}

type Stretch = Pick<FuzzyPlace, 'from' | 'to'>;

interface Query {
  readonly quote: Int32Array;
  /** The symbols of the quote that are part of values. */
  readonly values: Int32Array;
  readonly atLeast: number;
  /** The most edits a place may have. */
  readonly limit: number;
}

/** Least similarity of two words that can be spellings of one; with and mild have 1/4. */
const LIKE_WORDS = 1 / 3;
/** Quotes of more words than some 500 are not trimmed. */
const MOST_WORD_PAIRS = 250_000;
/** Equally good places that are kept for one quote. */
const MOST_EQUAL = 1000;
const GRAM_BITS = 16;
/** Marks the hashes of the quote's grams (runs of a few symbols); zero between calls. */
const inQuote = new Uint8Array(1 << GRAM_BITS);

/**
 * Finds the places of a text that are most similar to a quote: those with the fewest edits, if their similarity
 * (1 - edits / length of the longer, in symbols) is high enough. A place begins and ends at a word edge and has the
 * same digits and signs as the quote, in the same order, so 5 mg never matches 6 mg. Of overlapping places, one counts.
 */
export class FuzzySearch {
  readonly #text: SymbolText;
  readonly #folder: TextFolder;
  /** The symbols of the text that are part of values, and how many of them precede each symbol. */
  readonly #values: Int32Array;
  readonly #valuesBefore: Int32Array;
  readonly #grams = new Map<number, Uint16Array>();
  readonly #columns: EditColumns;
  /** Work left for the current search, in columns of 32 edit distances. */
  #left = 0;

  /** Fold all quotes first: the search reserves room for the symbols that exist now. */
  constructor(text: SymbolText, folder: TextFolder) {
    const { symbols } = text;
    this.#text = text;
    this.#folder = folder;
    this.#valuesBefore = new Int32Array(symbols.length + 1);
    for (const [at, symbol] of symbols.entries())
      this.#valuesBefore[at + 1] = this.#valuesBefore[at]! + Number(folder.isValue[symbol]!);
    this.#values = this.#valuesOf(symbols);
    this.#columns = new EditColumns(folder.kinds.length, symbols.length);
  }

  /**
   * The best places in text order, none if no place is similar enough.
   *
   * @param atLeast the lowest similarity to accept; a similarity of 0 never is
   * @param steps the work the search may do, in columns of 32 edit distances; promising stretches of the text come first
   */
  find(quote: Int32Array, atLeast: number, steps: number): FuzzyPlace[] {
    this.#left = steps;
    const { length } = this.#text.symbols;
    if (quote.length === 0) return [];
    const most = editLimit(quote.length, length, atLeast);
    if (most === 0 || quote.length - most > length) return [];
    const values = this.#valuesOf(quote);
    const stretches = this.#stretches(quote, most, [{ from: 0, to: length }]);
    // A low limit leaves much less text to read, and the fewest edits win anyway.
    for (const limit of new Set([9, 3, 1].map((part) => Math.ceil(most / part)))) {
      const narrowed = limit < most ? this.#stretches(quote, limit, stretches) : stretches;
      const places = this.#bestPlaces({ quote, values, atLeast, limit }, narrowed);
      if (places.length > 0) return places;
    }
    return [];
  }

  /**
   * A place without the words and signs at its ends that the quote does not have there: "with" in "with disc disease" for
   * "new disc disease", or the first "pain" in "pain pain in" for "a pain in". Inner words, misspelled ones and values
   * stay. An end is left as it is if the rest would be too little like the quote, or if no word matches.
   */
  trim(place: FuzzyPlace, quote: Int32Array, atLeast: number): FuzzyPlace {
    const { symbols } = this.#text;
    const [words, quoted] = [this.#words(symbols, place.from, place.to), this.#words(quote, 0, quote.length)];
    if (words.length * quoted.length > MOST_WORD_PAIRS) return place;
    // A word may be two in the other.
    const slack = 1 + Math.abs(words.length - quoted.length);
    const ends = matchingEnds(
      words.length,
      quoted.length,
      (at, other) => Math.abs(at - other) <= slack && this.#areLike(words[at]!, quote, quoted[other]!),
    );
    if (ends === null) return place;
    // Both have the same values.
    const values = words.keys().filter((at) => this.#hasValue(words[at]!));
    const whole = [ends.first, ends.last, ...values];
    const [first, last] = [Math.min(...whole), Math.max(...whole)];
    // Punctuation at an end stays if the quote has some there.
    const from = first === 0 && quoted[0]!.from > 0 ? place.from : words[first]!.from;
    const to = last === words.length - 1 && quoted.at(-1)!.to < quote.length ? place.to : words[last]!.to;
    for (const part of [
      { from, to },
      { from, to: place.to },
      { from: place.from, to },
    ]) {
      const size = part.to - part.from;
      const edits = this.#columns.read(quote, symbols, part.to - 1, size, -1)[size]!;
      const similarity = 1 - edits / Math.max(size, quote.length);
      if (similarity >= atLeast && similarity > 0) return { ...part, similarity };
    }
    return place;
  }

  #hasValue({ from, to }: Stretch): boolean {
    return this.#text.symbols.subarray(from, to).some((symbol) => this.#folder.isValue[symbol]!);
  }

  /** Whether a word of the text and one of the quote are spelled much alike. */
  #areLike({ from, to }: Stretch, quote: Int32Array, word: Stretch): boolean {
    const { symbols } = this.#text;
    const own = quote.subarray(word.from, word.to);
    const [size, longer] = [to - from, Math.max(to - from, own.length)];
    if (Math.min(size, own.length) < LIKE_WORDS * longer) return false;
    const edits = this.#columns.read(own, symbols, to - 1, size, -1)[size]!;
    return longer - edits >= LIKE_WORDS * longer;
  }

  /** Words, letters of scripts without spaces, and signs such as <; all else lies between them. */
  #words(symbols: Int32Array, from: number, to: number): Stretch[] {
    const { word, digit, point, letter } = symbolKind;
    const words: { from: number; to: number }[] = [];
    let isOpen = false;
    for (let at = from; at < to; at += 1) {
      const own = this.#folder.kinds[symbols[at]!]!;
      const isInNumber = own === point && this.#folder.kinds[symbols[at + 1] ?? -1] === digit;
      const isPart: boolean = own === word || own === digit || (isOpen && isInNumber);
      if (isPart && isOpen) words.at(-1)!.to = at + 1;
      else if (isPart || own === letter || this.#folder.isValue[symbols[at]!]!) words.push({ from: at, to: at + 1 });
      isOpen = isPart;
    }
    return words;
  }

  #bestPlaces(query: Query, stretches: readonly Stretch[]): FuzzyPlace[] {
    let best: RankedPlace[] = [];
    for (const { to, edits } of this.#ends(query, stretches)) {
      const most = best[0]?.edits ?? query.limit;
      const length = Math.min(to, query.quote.length + query.limit);
      if (edits > most || this.#afford(query.quote, length, this.#left) < length) break;
      const place = this.#bestStart(query, to, length, most);
      if (place === null) continue;
      if (place.edits < most) best = [];
      if (best.length < MOST_EQUAL) best.push(place);
    }
    const places: RankedPlace[] = [];
    for (const place of best.sort((a, b) => a.rank - b.rank || a.from - b.from))
      if (places.every(({ from, to }) => place.to <= from || to <= place.from)) places.push(place);
    return places.sort((a, b) => a.from - b.from);
  }

  /** The possible ends of places, fewest edits first. With the right start, more edits can be needed. */
  #ends({ quote, limit }: Query, stretches: readonly Stretch[]): { to: number; edits: number }[] {
    const ends: { to: number; edits: number }[] = [];
    for (const { from, to } of stretches) {
      // Half of the work that is left is kept for finding the starts.
      const length = this.#afford(quote, to - from, this.#left / 2);
      if (length < quote.length - limit) break;
      const columns = this.#columns.read(quote, this.#text.symbols, from, length, 1);
      for (let size = 1; size <= length; size += 1) {
        const [end, edits] = [from + size, columns[size]!];
        if (edits <= limit && this.#canCut(end, end - 1)) ends.push({ to: end, edits });
      }
    }
    return ends.sort((a, b) => a.edits - b.edits || a.to - b.to);
  }

  #bestStart({ quote, values, atLeast }: Query, to: number, length: number, most: number): RankedPlace | null {
    const columns = this.#columns.read(quote, this.#text.symbols, to - 1, length, -1);
    let best: RankedPlace | null = null;
    for (let size = 1; size <= length; size += 1) {
      const edits = columns[size]!;
      const from = to - size;
      const similarity = 1 - edits / Math.max(size, quote.length);
      if (edits > (best?.edits ?? most) || similarity < atLeast || similarity <= 0) continue;
      if (!this.#canCut(from, from) || !this.#hasValues(values, from, to)) continue;
      // Prefers places that begin and end with a word, not a comma, and then those as long as the quote.
      const punctuation = Number(!this.#isWord(from)) + Number(!this.#isWord(to - 1));
      const rank = punctuation * 2 * (quote.length + length) + Math.abs(size - quote.length);
      if (best === null || edits < best.edits || rank < best.rank) best = { from, to, similarity, edits, rank };
    }
    return best;
  }

  /** How many of the columns the steps pay for. These are subtracted from the work that is left. */
  #afford(quote: Int32Array, columns: number, steps: number): number {
    const blocks = Math.ceil(quote.length / 32);
    const enough = Math.min(columns, Math.floor(steps / blocks));
    this.#left -= enough * blocks;
    return enough;
  }

  #kindAt(at: number): number {
    return this.#folder.kinds[this.#text.symbols[at]!]!;
  }

  #isWord(at: number): boolean {
    const own = this.#kindAt(at);
    return own === symbolKind.word || own === symbolKind.digit;
  }

  /** Whether a place whose first or last symbol is this one can begin or end at a boundary. */
  #canCut(at: number, symbol: number): boolean {
    return this.#text.symbolCuts[at] === cutKind.clean && this.#kindAt(symbol) !== symbolKind.space;
  }

  #valuesOf(symbols: Int32Array): Int32Array {
    return symbols.filter((symbol) => this.#folder.isValue[symbol]!);
  }

  #hasValues(values: Int32Array, from: number, to: number): boolean {
    const first = this.#valuesBefore[from]!;
    if (this.#valuesBefore[to]! - first !== values.length) return false;
    return values.every((value, at) => this.#values[first + at] === value);
  }

  /**
   * The parts of these stretches that can contain a place, the most promising first. One edit changes at most q of the
   * quote's grams of q symbols, so a place contains all the others: a window with too few of them is skipped.
   * Ukkonen, E. (1992), Approximate string matching with q-grams and maximal matches.
   */
  #stretches(quote: Int32Array, limit: number, within: readonly Stretch[]): readonly Stretch[] {
    const { symbols } = this.#text;
    const longest = quote.length + limit;
    const unchanged = (q: number): number => quote.length - q + 1 - limit * q;
    const size = [6, 4, 3].find((q) => unchanged(q) * 5 >= quote.length) ?? 2;
    const least = unchanged(size);
    if (least <= 0 || longest >= symbols.length) return within;
    const grams = this.#grams.get(size) ?? numberGrams(symbols, size);
    this.#grams.set(size, grams);
    const quoteGrams = numberGrams(quote, size);
    for (const gram of quoteGrams) inQuote[gram] = 1;
    const stretches: { from: number; to: number; peak: number }[] = [];
    const width = longest - size + 1;
    for (const { from, to } of within) {
      let last = { from: -1, to: -1, peak: 0 };
      for (let at = from, common = 0; at + size <= to; at += 1) {
        common += inQuote[grams[at]!]!;
        if (at - width >= from) common -= inQuote[grams[at - width]!]!;
        if (common < least) continue;
        const start = Math.max(from, at + 1 - width);
        if (last.to <= start) {
          last = { from: start, to: start, peak: 0 };
          stretches.push(last);
        }
        last.to = at + size;
        if (common > last.peak) last.peak = common;
      }
    }
    for (const gram of quoteGrams) inQuote[gram] = 0;
    return stretches.sort((a, b) => b.peak - a.peak || a.from - b.from);
  }
}

/** The most edits with which a place in a text of this length can be this similar to a quote. */
function editLimit(quoteLength: number, textLength: number, atLeast: number): number {
  // Each edit makes the place at most one symbol longer than the quote.
  let limit = Math.min(Math.floor((quoteLength * (1 - atLeast)) / atLeast) + 1, quoteLength + textLength);
  while (limit > 0 && mostEdits(quoteLength + limit, atLeast) < limit) limit -= 1;
  return limit;
}

function numberGrams(symbols: Int32Array, size: number): Uint16Array {
  const grams = new Uint16Array(Math.max(0, symbols.length - size + 1));
  for (let at = 0; at < grams.length; at += 1) {
    let hash = 0;
    for (let next = at; next < at + size; next += 1) hash = Math.imul((hash ^ symbols[next]!) + 1, 0x9e3779b1);
    grams[at] = hash >>> (32 - GRAM_BITS);
  }
  return grams;
}
