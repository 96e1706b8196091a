import { words } from '../../../../text/words.ts';

/**
 * How an alias and a piece of text are compared: lower case, white space as single spaces, none at the ends. Two texts
 * that are the same by this have the same trigrams and so the same candidates.
 *
 * @example comparedText(' Type 2\n Diabetes') // 'type 2 diabetes'
 */
export function comparedText(text: string): string {
  return words(text.toLowerCase(), 'whitespace').join(' ');
}
