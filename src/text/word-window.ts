import { fold, origin } from './fold.ts';
import type { Span } from './span.ts';
import { wordSpans } from './words.ts';

/**
 * The shortest stretch of a text that holds every word of a quote, as often as the quote has it, in any order and with
 * anything between; the first one if several are as short. Case, apostrophes and punctuation do not count.
 * null when a word is missing, or when the quote has none.
 *
 * @example wordWindow('My head hurt. I slept badly.', 'badly slept') // { start: 16, end: 27 }
 */
export function wordWindow(text: string, quote: string): Span | null {
  const wanted = new Map<string, number>();
  const foldedQuote = fold(quote, 'punctuation').text;
  let missing = 0;
  for (const { start, end } of wordSpans(foldedQuote, 'unicode')) {
    const word = foldedQuote.slice(start, end);
    wanted.set(word, (wanted.get(word) ?? 0) + 1);
    missing += 1;
  }
  if (missing === 0) return null;

  const folded = fold(text, 'punctuation');
  const found = wordSpans(folded.text, 'unicode').filter(({ start, end }) => wanted.has(folded.text.slice(start, end)));
  const take = ({ start, end }: Span, count: 1 | -1): number => {
    const word = folded.text.slice(start, end);
    const left = (wanted.get(word) ?? 0) - count;
    wanted.set(word, left);
    return left;
  };

  let best: Span | null = null;
  let first = 0;
  for (const last of found) {
    if (take(last, 1) >= 0) missing -= 1;
    for (let opening = found[first]; missing === 0 && opening !== undefined; opening = found[first]) {
      const window = origin(folded, opening.start, last.end);
      if (best === null || window.end - window.start < best.end - best.start) best = window;
      if (take(opening, -1) > 0) missing += 1;
      first += 1;
    }
  }
  return best;
}
