import { splitsPair } from './characters.ts';
import { normalisers } from './normalise.ts';
import { findComposed } from './same-text.ts';
import type { Span } from './span.ts';
import { wordSpans } from './words.ts';

/** What a fold overlooks; each level overlooks what the ones before it do. */
const LEVELS = ['case', 'white-space', 'punctuation'] as const;
type FoldLevel = (typeof LEVELS)[number];

/** What a quote would have to overlook to be in a text; by `word-order` the text has its words, but not side by side. */
export type NearQuote = 'verbatim' | FoldLevel | 'word-order' | 'absent';

/**
 * The first place where a quote stands word for word; null if not found, and for an empty quote, which proves
 * nothing. Letters may be composed in another way, if no place has the very characters. Half a surrogate pair is not found
 * in a whole one, as in Python.
 *
 * @example findQuote('Slept badly, woke at 4.', 'woke at 4') // { start: 13, end: 22 }
 */
export function findQuote(text: string, quote: string): Span | null {
  if (quote === '') return null;
  let start = text.indexOf(quote);
  while (start >= 0 && (splitsPair(text, start) || splitsPair(text, start + quote.length))) {
    start = text.indexOf(quote, start + 1);
  }
  return start < 0 ? findComposed(text, quote) : { start, end: start + quote.length };
}

/**
 * What keeps a quote from being verbatim. Not for the hot path: ask `findQuote` first.
 *
 * @example nearQuote('I don’t sleep.', "I don't sleep") // 'punctuation'
 */
export function nearQuote(text: string, quote: string): NearQuote {
  if (findQuote(text, quote) !== null) return 'verbatim';
  for (const level of LEVELS) {
    const folded = fold(quote, level);
    const wanted = level === 'case' ? folded : folded.trim();
    if (wanted !== '' && fold(text, level).includes(wanted)) return level;
  }
  return hasWords(text, quote) ? 'word-order' : 'absent';
}

/** Whether a text has every word of a quote, as often as the quote has it; false for a quote without words. */
function hasWords(text: string, quote: string): boolean {
  const [present, wanted] = [foldedWords(text), foldedWords(quote)];
  return wanted.size > 0 && wanted.entries().every(([word, { length }]) => (present.get(word)?.length ?? 0) >= length);
}

function foldedWords(text: string): Map<string, Span[]> {
  const folded = fold(text, 'punctuation');
  return Map.groupBy(wordSpans(folded, 'unicode'), ({ start, end }) => folded.slice(start, end));
}

const INVISIBLE = /\p{Cf}/gu;
const PUNCTUATION = /\p{P}/gu;
const APOSTROPHES = /['’‘‛ʼ`´＇]/g;

/**
 * Folds a text so that texts which differ in little become equal. Runs of white space become one space. Punctuation is not
 * just taken out: 3.5 must not become 35, and "well-being" is to equal "well being".
 *
 * @example fold('Don’t —  STOP', 'punctuation') // 'dont stop'
 */
export function fold(text: string, level: FoldLevel): string {
  const spaced = level === 'punctuation' ? text.replace(APOSTROPHES, '').replace(PUNCTUATION, ' ') : text;
  const plain = level === 'case' ? spaced : normalisers.collapse(spaced.replace(INVISIBLE, ''));
  // By way of upper case: lower-casing alone leaves ß beside SS. First down, for ẞ has no other way to SS.
  return plain.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
