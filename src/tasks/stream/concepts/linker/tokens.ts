import { isWhiteSpace } from '../../../../text/characters.ts';
import { wordSpans } from '../../../../text/words.ts';
import { isFunctionWord } from './function-words.ts';

/** A word, or a single sign that is not white space. Places are in UTF-16 units. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly lower: string;
  readonly isWord: boolean;
  readonly isFunction: boolean;
  readonly hasLetter: boolean;
  /** What lies before it: nothing, white space, or white space with the end of a line. */
  readonly gap: 'none' | 'space' | 'line';
}

const STARTS_WORD = /^[\p{L}\p{N}]/u;
const LETTER = /\p{L}/u;

export function tokensOf(text: string): Token[] {
  let before = 0;
  return wordSpans(text, 'unicode').map(({ start, end }): Token => {
    const own = text.slice(start, end);
    const lower = own.toLowerCase();
    const gap = gapOf(text, before, start);
    before = end;
    return {
      start,
      end,
      lower,
      isWord: STARTS_WORD.test(own),
      isFunction: isFunctionWord(lower),
      hasLetter: LETTER.test(own),
      gap,
    };
  });
}

function gapOf(text: string, start: number, end: number): Token['gap'] {
  if (start === end) return 'none';
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (isWhiteSpace(unit) && (unit === 0x0a || unit === 0x0d || unit === 0x85 || unit === 0x2028 || unit === 0x2029))
      return 'line';
  }
  return 'space';
}
