import { cutKind, type SymbolText, symbolKind, TextFolder } from './folded-text.ts';
import { FuzzySearch } from './fuzzy-places.ts';
import { choosePlaces, comparePlaces, MOST_PLACES, type PossiblePlace } from './place-order.ts';
import { SequenceIndex } from './sequence-index.ts';

export interface QuoteAlignment {
  /** UTF-16 offsets into the text; -1, -1 when the quote was not found. */
  readonly start: number;
  readonly end: number;
  readonly status: 'exact' | 'normalised' | 'fuzzy' | 'missing';
  /** Several places in the text fit equally well; the order of the list decided. */
  readonly ambiguous: boolean;
  /** 1 for exact and normalised, 0 for missing; for fuzzy the similarity in (0, 1). */
  readonly similarity: number;
}

export interface AlignOptions {
  /** The lowest similarity of a fuzzy match (default 0.8); 1 turns fuzzy matching off, 0 accepts any above 0. */
  readonly fuzzy: number;
}

interface Place extends PossiblePlace {
  readonly status: QuoteAlignment['status'];
  readonly similarity: number;
}

const MISSING: QuoteAlignment = { start: -1, end: -1, status: 'missing', ambiguous: false, similarity: 0 };
/** Limits: places kept per quote, and places looked at and fuzzy work (about a second) per call. */
const [MOST_EACH, MOST_VISITS, FUZZY_STEPS] = [10_000, 50_000_000, 200_000_000];

/**
 * Finds quotes in the text they were taken from, for model output that quotes instead of giving offsets.
 *
 * Each quote goes to the best place the text has, in this order. No place cuts a grapheme cluster.
 * 1. `exact`: the same characters (what `findQuote` accepts) between word edges
 * 2. `normalised`: equal but for spelling (`TextFolder.fold` lists what is ignored) between word edges
 * 3. exact, then normalised, inside a word: "Ann" matches in "Annual" only if it is nowhere else
 * 4. `fuzzy`: between word edges, with the same digits and signs, and the fewest edits, if the similarity
 *    1 - edits / length of the longer, in grapheme clusters, is at least `fuzzy` (default 0.8); less words at its ends
 *    that are not in the quote, if the rest is still that similar
 * Otherwise, and if it has only white space and invisible characters, the quote is `missing`.
 *
 * If a quote has several equally good places, the order of the list decides (`choosePlaces`): ascending places for as
 * many quotes as possible, then the fewest that overlap or are not exact, then the earliest. Equal quotes get different
 * places, normalised ones too if there are fewer exact places than copies; surplus copies share the last one's place.
 *
 * Work is bounded for hostile input. With n different quotes, the first 200,000 / n places of each count (at most
 * 10,000, at least one per copy), and a fuzzy search that takes too long returns the best place so far.
 *
 * @example alignQuotes('Tea at 4. No tea.', ['tea', 'NO  TEA'])
 * // [{ start: 13, end: 16, status: 'exact', … }, { start: 10, end: 16, status: 'normalised', … }]
 */
export function alignQuotes(
  text: string,
  quotes: readonly string[],
  options: Partial<AlignOptions> = {},
): QuoteAlignment[] {
  const { fuzzy = 0.8 } = options;
  if (!(fuzzy >= 0 && fuzzy <= 1)) throw new RangeError(`fuzzy is ${fuzzy}: expected a number from 0 to 1`);
  const copies = new Map<string, number>();
  for (const quote of quotes) copies.set(quote, (copies.get(quote) ?? 0) + 1);
  const finder = new PlaceFinder(text, copies.size);
  const places = new Map(Array.from(copies, ([quote, count]) => [quote, finder.find(quote, count)]));
  if (fuzzy < 1) {
    const left = [...places.keys()].filter((quote) => places.get(quote)!.length === 0);
    for (const quote of left) places.set(quote, finder.findFuzzy(quote, fuzzy, FUZZY_STEPS / left.length));
  }
  const lists = quotes.map((quote) => places.get(quote)!);
  return choosePlaces(lists).map((place, at) => {
    if (place === null) return MISSING;
    const { start, end, status, similarity } = place;
    return { start, end, status, ambiguous: lists[at]!.length > 1, similarity };
  });
}

/** Finds the places of quotes in one text. */
class PlaceFinder {
  readonly #different: number;
  readonly #folder = new TextFolder();
  readonly #text: SymbolText;
  readonly #symbols: SequenceIndex;
  readonly #units: SequenceIndex;
  readonly #quotes = new Map<string, Int32Array>();
  #fuzzy: FuzzySearch | null = null;

  /** @param different how many different quotes share the limits */
  constructor(text: string, different: number) {
    this.#different = different;
    this.#text = this.#folder.fold(text);
    this.#symbols = new SequenceIndex(this.#text.symbols);
    this.#units = new SequenceIndex(unitsOf(text));
  }

  /** The exact and normalised places of a quote, sorted, given how often the list has it. */
  find(quote: string, copies: number): Place[] {
    const { from, to, symbolCuts, unitCuts } = this.#text;
    const symbols = this.#symbolsOf(quote);
    const normalised = this.#collect(this.#symbols, symbols, copies, symbolCuts, (at) => {
      const last = at + symbols.length - 1;
      return { start: from[at]!, end: to[last]!, status: 'normalised', similarity: 1, isFlawed: true };
    });
    if (normalised.whole.length + normalised.inside.length === 0) return [];
    const exact = this.#collect(this.#units, unitsOf(quote), copies, unitCuts, (start) => {
      return { start, end: start + quote.length, status: 'exact', similarity: 1, isFlawed: false };
    });
    const isWhole = exact.whole.length + normalised.whole.length > 0;
    const [first, second] = isWhole ? [exact.whole, normalised.whole] : [exact.inside, normalised.inside];
    return first.length >= copies ? first : mergePlaces(first, second);
  }

  /** Call `find` for all quotes first. */
  findFuzzy(quote: string, atLeast: number, steps: number): Place[] {
    this.#fuzzy ??= new FuzzySearch(this.#text, this.#folder);
    const [fuzzy, symbols] = [this.#fuzzy, this.#symbolsOf(quote)];
    return fuzzy.find(symbols, atLeast, steps).map((place) => {
      const { from, to, similarity } = fuzzy.trim(place, symbols, atLeast);
      const [start, end] = [this.#text.from[from]!, this.#text.to[to - 1]!];
      return { start, end, status: 'fuzzy', isFlawed: true, similarity };
    });
  }

  /** The symbols of a quote, without surrounding white space. */
  #symbolsOf(quote: string): Int32Array {
    const known = this.#quotes.get(quote);
    if (known !== undefined) return known;
    const { symbols } = this.#folder.fold(quote);
    const isSpace = (at: number): boolean => this.#folder.kinds[symbols.at(at) ?? -1] === symbolKind.space;
    const trimmed = symbols.subarray(isSpace(0) ? 1 : 0, symbols.length - (isSpace(-1) ? 1 : 0));
    this.#quotes.set(quote, trimmed);
    return trimmed;
  }

  /** The first places of a needle between word edges, and the first ones inside words. */
  #collect(
    index: SequenceIndex,
    needle: Int32Array,
    copies: number,
    cuts: Uint8Array,
    placeAt: (at: number) => Place,
  ): { readonly whole: Place[]; readonly inside: Place[] } {
    const most = Math.max(copies, Math.min(MOST_EACH, MOST_PLACES / this.#different));
    let visits = Math.max(copies, MOST_VISITS / this.#different);
    const [whole, inside]: [Place[], Place[]] = [[], []];
    index.find(needle, (at) => {
      const worst = Math.min(cuts[at]!, cuts[at + needle.length]!);
      const list = worst === cutKind.clean ? whole : inside;
      if (worst !== cutKind.cluster && list.length < most) list.push(placeAt(at));
      visits -= 1;
      return whole.length < most && visits > 0;
    });
    return { whole, inside };
  }
}

function unitsOf(text: string): Int32Array {
  const units = new Int32Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

/** All places of the first list, and those of the second that do not overlap them. Both lists are sorted. */
function mergePlaces(first: readonly Place[], second: readonly Place[]): Place[] {
  let at = 0;
  const others = second.filter(({ start, end }) => {
    while (at < first.length && first[at]!.end <= start) at += 1;
    return at === first.length || first[at]!.start >= end;
  });
  return [...first, ...others].sort(comparePlaces);
}
