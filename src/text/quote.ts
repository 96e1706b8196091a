import { splitsPair } from './code-points.ts';
import { fold, type FoldLevel, origin } from './fold.ts';
import type { Span } from './span.ts';
import { wordWindow } from './word-window.ts';

/**
 * Why a quote is or is not in a text:
 *
 * - `verbatim`: it is
 * - `case`, `white-space`, `punctuation`: it would be if that did not count (nor what is named before it)
 * - `word-order`: the text has all its words, but not side by side in this order
 * - `absent`: none of these
 */
export type NearQuote =
  | {
      readonly kind: 'verbatim' | 'case' | 'white-space' | 'punctuation' | 'word-order';
      readonly at: Span;
    }
  | { readonly kind: 'absent'; readonly at?: undefined };

const LEVELS = ['case', 'white-space', 'punctuation'] as const satisfies readonly FoldLevel[];

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
    const at = findFolded(text, quote, level);
    if (at !== null) return { kind: level, at };
  }
  const scattered = wordWindow(text, quote);
  return scattered === null ? { kind: 'absent' } : { kind: 'word-order', at: scattered };
}

function findFolded(text: string, quote: string, level: FoldLevel): Span | null {
  const folded = fold(quote, level).text;
  const wanted = level === 'case' ? folded : folded.trim();
  if (wanted === '') return null;
  const within = fold(text, level);
  const found = within.text.indexOf(wanted);
  return found < 0 ? null : origin(within, found, found + wanted.length);
}
