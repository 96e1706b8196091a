import { isWhiteSpace, splitsPair } from './characters.ts';
import type { Span } from './span.ts';
import { wordSpans } from './words.ts';

/** What a fold overlooks; each level overlooks what the ones before it do. */
const LEVELS = ['case', 'white-space', 'punctuation'] as const;
type FoldLevel = (typeof LEVELS)[number];

/**
 * Why a quote is or is not in a text:
 *
 * - `verbatim`: it is
 * - `case`, `white-space`, `punctuation`: it would be if that did not count (nor what is named before it)
 * - `word-order`: the text has all its words, but not side by side in this order
 * - `absent`: none of these
 */
export type NearQuote =
  | { readonly kind: 'verbatim' | FoldLevel | 'word-order'; readonly at: Span }
  | { readonly kind: 'absent'; readonly at?: undefined };

/**
 * The first place where a quote stands word for word; null when there is none, and for an empty quote, which proves
 * nothing. Half a surrogate pair is not found in a whole one, as in Python.
 *
 * @example findQuote('Slept badly, woke at 4.', 'woke at 4') // { start: 13, end: 22 }
 */
export function findQuote(text: string, quote: string): Span | null {
  if (quote === '') return null;
  let start = text.indexOf(quote);
  while (start >= 0 && (splitsPair(text, start) || splitsPair(text, start + quote.length))) {
    start = text.indexOf(quote, start + 1);
  }
  return start < 0 ? null : { start, end: start + quote.length };
}

/**
 * What keeps a quote from being verbatim, and which place in the text it most likely means.
 * Not for the hot path: ask `findQuote` first.
 *
 * @example nearQuote('I don’t sleep.', "I don't sleep") // { kind: 'punctuation', at: { start: 0, end: 13 } }
 */
export function nearQuote(text: string, quote: string): NearQuote {
  const verbatim = findQuote(text, quote);
  if (verbatim !== null) return { kind: 'verbatim', at: verbatim };
  for (const level of LEVELS) {
    const folded = fold(quote, level).text;
    const wanted = level === 'case' ? folded : folded.trim();
    if (wanted === '') continue;
    const within = fold(text, level);
    const found = within.text.indexOf(wanted);
    if (found >= 0) return { kind: level, at: origin(within, found, found + wanted.length) };
  }
  const scattered = wordWindow(text, quote);
  return scattered === null ? { kind: 'absent' } : { kind: 'word-order', at: scattered };
}

/**
 * The shortest stretch of a text that holds every word of a quote, as often as the quote has it, in any order and with
 * anything between; the first one if several are as short. Case, apostrophes and punctuation do not count.
 * null when a word is missing, or when the quote has none.
 *
 * @example wordWindow('My head hurt. I slept badly.', 'badly slept') // { start: 16, end: 27 }
 */
export function wordWindow(text: string, quote: string): Span | null {
  const wordsOf = (own: string) =>
    wordSpans(own, 'unicode').map((span) => ({ ...span, word: own.slice(span.start, span.end) }));
  const wanted = new Map<string, number>();
  const quoted = wordsOf(fold(quote, 'punctuation').text);
  for (const { word } of quoted) wanted.set(word, (wanted.get(word) ?? 0) + 1);
  if (quoted.length === 0) return null;

  const folded = fold(text, 'punctuation');
  const found = wordsOf(folded.text).filter(({ word }) => wanted.has(word));
  const take = (word: string, count: 1 | -1): number => {
    const left = wanted.get(word)! - count;
    wanted.set(word, left);
    return left;
  };
  let best: Span | null = null;
  let [missing, first] = [quoted.length, 0];
  for (const last of found) {
    if (take(last.word, 1) >= 0) missing -= 1;
    for (; missing === 0; first += 1) {
      const opening = found[first]!;
      const window = origin(folded, opening.start, last.end);
      if (best === null || window.end - window.start < best.end - best.start) best = window;
      if (take(opening.word, -1) > 0) missing += 1;
    }
  }
  return best;
}

/** A text in which some differences are gone, and for each of its units where in the original it came from. */
interface Folded {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const INVISIBLE = /^\p{Cf}$/u;
const PUNCTUATION = /^\p{P}$/u;
const APOSTROPHES = "'’‘‛ʼ`´＇";

/**
 * Folds a text so that texts which differ in little become equal, and places in it can be traced back.
 *
 * - `case`: upper and lower case (also ß and SS, final sigma and sigma)
 * - `white-space`: also runs of white space are one space, and invisible characters such as the soft hyphen are gone
 * - `punctuation`: also apostrophes of all sorts are gone, and other punctuation is white space. It is not just taken
 *   out: 3.5 must not become 35, and "well-being" is to equal "well being".
 *
 * @example fold('Don’t —  STOP', 'punctuation').text // 'dont stop'
 */
export function fold(text: string, level: FoldLevel): Folded {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const piece = foldCharacter(character, level);
    const repeatsSpace = level !== 'case' && piece === ' ' && folded.endsWith(' ');
    for (const unit of repeatsSpace ? '' : piece.split('')) {
      folded += unit;
      starts.push(at);
      ends.push(end);
    }
    at = end;
  }
  return { text: folded, starts, ends };
}

/** Where in the original a stretch of the folded text, not an empty one, came from. */
export function origin(folded: Folded, start: number, end: number): Span {
  return { start: folded.starts[start] ?? 0, end: folded.ends[end - 1] ?? 0 };
}

function foldCharacter(character: string, level: FoldLevel): string {
  if (level !== 'case' && isWhiteSpace(character.charCodeAt(0))) return ' ';
  if (level !== 'case' && INVISIBLE.test(character)) return '';
  if (level === 'punctuation' && APOSTROPHES.includes(character)) return '';
  if (level === 'punctuation' && PUNCTUATION.test(character)) return ' ';
  // By way of upper case: lower-casing alone leaves ς beside σ and ß beside SS. First down, for ẞ has no other way to SS.
  return character.toLowerCase().toUpperCase().toLowerCase();
}
