import type { Span } from '../../text/span.ts';
import { wordSpans } from '../../text/words.ts';

export interface PassageSettings {
  /** Words of a passage. */
  readonly size: number;
  /** Words that it shares with the one before. */
  readonly overlap: number;
}

/**
 * A text cut into passages of so many words, the last one with what is left. Each is a stretch of the text as it stands.
 *
 * @example splitPassages('a b c d e', { size: 3, overlap: 1 }) // ['a b c', 'c d e']
 */
export function splitPassages(text: string, settings: PassageSettings): string[] {
  return passageSpans(text, settings).map(({ start, end }) => text.slice(start, end));
}

/** Where these passages are in the text. */
export function passageSpans(text: string, { size, overlap }: PassageSettings): Span[] {
  const spans = wordSpans(text, 'whitespace');
  const passages: Span[] = [];
  for (let from = 0; from < spans.length; from += size - overlap) {
    const to = Math.min(from + size, spans.length);
    passages.push({ start: spans[from]!.start, end: spans[to - 1]!.end });
    if (to === spans.length) break;
  }
  return passages;
}
