import { characterKind, isWhiteSpace, kind } from './characters.ts';
import { fold } from './quote.ts';

/**
 * A text as a sequence of symbols: numbers for what a reader sees as one character (a grapheme cluster), regardless of
 * spelling. Each symbol keeps the stretch of text it was made from, so matches map back exactly.
 */
export interface SymbolText {
  readonly symbols: Int32Array;
  /** The stretch of each symbol, in UTF-16 units. The two symbols of ß share one. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The `cutKind` of a cut before each symbol and after the last one, and of a cut at each UTF-16 index. */
  readonly symbolCuts: Uint8Array;
  readonly unitCuts: Uint8Array;
}

/** What a cut goes through: a grapheme cluster, a word, or nothing. */
export const cutKind = { cluster: 0, word: 1, clean: 2 } as const;

/** The part a symbol plays in words; `point` is the one in 3.5 or 1,000, `letter` is of a script without spaces. */
export const symbolKind = { other: 0, space: 1, word: 2, digit: 3, point: 4, letter: 5 } as const;

/** Soft hyphens, joiners, bidi marks, variation selectors; not the joiners and tags that emoji and flags are made of. */
const IGNORABLE = /(?!\u200d\p{Extended_Pictographic}|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;
const QUOTATION_MARKS = /[\p{Quotation_Mark}`´\u1ffdʹʺʻʼʽ′-‷׳״]/gu;
const DASHES = /[\p{Dash}\u2043]/gu;
/** What İ becomes in lower case. */
const DOTTED_I = /i\u0307/g;
/** Scripts without spaces between words: every character is a possible word edge. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const DIGIT = /^\p{Nd}/u;
const VALUE = /^[\p{N}\p{Sm}\p{Sc}%‰]/u;
/** `normalize` takes quadratic time for many marks on one letter, so longer clusters are left alone. */
const LONGEST_CLUSTER = 64;
/** Runs of these collapse into one symbol. They get the lowest numbers. */
const RUNS = [' ', "'", '-'];

let segmenter: Intl.Segmenter | null = null;

function segments(text: string): Intl.Segments {
  return (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })).segment(text);
}

/** Folds texts for comparison: a character has the same symbol in all texts of one folder. */
export class TextFolder {
  /** The `symbolKind` of each symbol. */
  readonly kinds: number[] = [];
  /** Whether each symbol is part of a value: a digit or a sign such as <, € or %. */
  readonly isValue: boolean[] = [];
  readonly #symbols = new Map<string, number>();
  readonly #clusters = new Map<string, readonly number[]>();

  constructor() {
    for (const text of RUNS) this.#symbolOf(text);
  }

  /**
   * Ignores Unicode form (NFKC), case, invisible characters, and the kind and number of spaces, quotation marks and
   * dashes in a row. ß equals ss, ﬁ equals fi, … equals three points, and I, İ and ı equal i.
   */
  fold(text: string): SymbolText {
    const [symbols, from, to]: [number[], number[], number[]] = [[], [], []];
    const unitCuts = new Uint8Array(text.length + 1);
    unitCuts[text.length] = cutKind.word;
    const add = (cluster: string, start: number): void => {
      unitCuts[start] = cutKind.word;
      const end = start + cluster.length;
      for (const symbol of this.#symbolsOf(cluster)) {
        if (symbol < RUNS.length && symbol === symbols.at(-1)) {
          to[to.length - 1] = end;
          continue;
        }
        symbols.push(symbol);
        from.push(start);
        to.push(end);
      }
    };
    for (let at = 0; at < text.length;) {
      const start = at;
      while (at < text.length && !(standsAlone(text, at) && standsAlone(text, at + 1))) at += 1;
      if (at === start) add(text.charAt(at), at);
      // Includes the first unit that stands alone: the one before it can attach to it.
      else for (const { segment, index } of segments(text.slice(start, at + 1))) add(segment, start + index);
      at += 1;
    }
    const symbolCuts = Uint8Array.from({ length: symbols.length + 1 }, (_, at) => {
      if (at > 0 && at < to.length && to[at - 1]! > from[at]!) return cutKind.cluster;
      return this.#isEdge(symbols, at) ? cutKind.clean : cutKind.word;
    });
    for (let index = 0, next = 0; index <= text.length; index += 1) {
      while (next < to.length && to[next]! <= index) next += 1;
      if (unitCuts[index] !== cutKind.cluster && this.#isEdge(symbols, next)) unitCuts[index] = cutKind.clean;
    }
    const [stretchStarts, stretchEnds] = [Int32Array.from(from), Int32Array.from(to)];
    return { symbols: Int32Array.from(symbols), from: stretchStarts, to: stretchEnds, symbolCuts, unitCuts };
  }

  /** Whether a word edge is before a symbol. The points in 3.5 and 1,000 are inside a word. */
  #isEdge(symbols: readonly number[], at: number): boolean {
    const kindAt = (place: number): number => this.kinds[symbols[place] ?? -1] ?? symbolKind.other;
    const { word, digit, point } = symbolKind;
    const [before, after] = [kindAt(at - 1), kindAt(at)];
    if (before === point && after === digit) return kindAt(at - 2) !== digit;
    if (before === digit && after === point) return kindAt(at + 1) !== digit;
    return (before !== word && before !== digit) || (after !== word && after !== digit);
  }

  #symbolsOf(cluster: string): readonly number[] {
    const known = this.#clusters.get(cluster);
    if (known !== undefined) return known;
    const symbols = partsOf(cluster).map((part) => this.#symbolOf(part));
    this.#clusters.set(cluster, symbols);
    return symbols;
  }

  #symbolOf(text: string): number {
    const known = this.#symbols.get(text);
    if (known !== undefined) return known;
    this.#symbols.set(text, this.kinds.length);
    this.kinds.push(kindOf(text));
    this.isValue.push(VALUE.test(text));
    return this.kinds.length - 1;
  }
}

/** Whether there is always a cluster boundary between this unit and another one like it; the end of the text is like it. */
function standsAlone(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const unit = text.charCodeAt(at);
  return (unit < 0x300 && unit !== 0x0d) || (unit >= 0x2010 && unit < 0x2028) || (unit >= 0x3400 && unit < 0xa000);
}

/** Parts of clusters of one unit, of which there are at most 65,536. */
const unitParts = new Map<string, readonly string[]>();

/** The characters a cluster folds to; none if it is invisible. */
function partsOf(cluster: string): readonly string[] {
  const known = unitParts.get(cluster);
  if (known !== undefined) return known;
  const folded = foldCluster(cluster);
  const parts = folded.length > LONGEST_CLUSTER ? [folded] : Array.from(segments(folded), ({ segment }) => segment);
  const spelled = parts.map((part) => (isBlank(part) ? ' ' : part));
  if (cluster.length === 1) unitParts.set(cluster, spelled);
  return spelled;
}

function foldCluster(cluster: string): string {
  let folded = cluster.replace(IGNORABLE, '');
  if (folded.length > LONGEST_CLUSTER) return folded;
  // Twice, because normalising uncovers more to fold, such as the apostrophe in ŉ.
  for (let turn = 0; turn < 2; turn += 1) {
    const plain = folded.replace(QUOTATION_MARKS, "'").replace(DASHES, '-').normalize('NFKC');
    folded = fold(plain, 'case').replace(DOTTED_I, 'i').normalize('NFKC').replace(IGNORABLE, '');
  }
  return folded;
}

function isBlank(part: string): boolean {
  for (let at = 0; at < part.length; at += 1) if (!isWhiteSpace(part.charCodeAt(at))) return false;
  return true;
}

function kindOf(symbol: string): number {
  if (symbol === ' ') return symbolKind.space;
  if (symbol === '.' || symbol === ',') return symbolKind.point;
  if (DIGIT.test(symbol)) return symbolKind.digit;
  if (UNSPACED.test(symbol)) return symbolKind.letter;
  const first = characterKind(symbol.codePointAt(0) ?? 0);
  return first === kind.letterOrDigit || first === kind.mark ? symbolKind.word : symbolKind.other;
}
