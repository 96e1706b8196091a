import { words } from '../../../../text/words.ts';

/**
 * The character trigrams of a text as scikit-learn's `char_wb` analyser makes them: lower case, every word (between
 * white space) with a space on both sides, trigrams that do not go over words, in code points. A word of n characters
 * gives n of them, so even one of a single character gives one.
 *
 * @example charTrigrams('CT scan') // [' ct', 'ct ', ' sc', 'sca', 'can', 'an ']
 */
export function charTrigrams(text: string): string[] {
  const found: string[] = [];
  for (const word of words(text.toLowerCase(), 'whitespace')) {
    const padded = [' ', ...word, ' '];
    for (let at = 2; at < padded.length; at += 1) found.push(`${padded[at - 2]!}${padded[at - 1]!}${padded[at]!}`);
  }
  return found;
}
