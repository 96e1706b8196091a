import type { Span } from './span.ts';

/**
 * Whether two texts have the same characters, however their letters are composed: é may be one code point or e and an
 * accent (canonical equivalence, https://www.unicode.org/reports/tr15/). Invisible characters make a difference.
 *
 * @example isCanonicallyEqual('Kraków', 'Krako\u0301w') // true
 */
export function isCanonicallyEqual(a: string, b: string): boolean {
  return a === b || a.normalize('NFC') === b.normalize('NFC');
}

/**
 * The first place of words in a text that composes letters in another way; null if the text does not have them, or writes
 * them as they are. Whole characters only: Krako is not in Krakó.
 *
 * @example findComposed('in Krako\u0301w', 'Kraków') // { start: 3, end: 10 }
 */
export function findComposed(text: string, words: string): Span | null {
  const composedWords = words.normalize('NFC');
  const whole = text.normalize('NFC');
  if (composedWords === '' || (composedWords === words && whole === text) || !whole.includes(composedWords))
    return null;
  /** Where each character of the composed text begins in the text. */
  const places = new Map<number, number>();
  let composed = '';
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    places.set(composed.length, index);
    composed += segment.normalize('NFC');
  }
  places.set(composed.length, text.length);
  for (let at = composed.indexOf(composedWords); at >= 0; at = composed.indexOf(composedWords, at + 1)) {
    const [start, end] = [places.get(at), places.get(at + composedWords.length)];
    if (start !== undefined && end !== undefined) return { start, end };
  }
  return null;
}
