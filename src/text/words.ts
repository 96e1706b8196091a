import { characterKind, kind } from './character-kind.ts';
import type { Span } from './span.ts';
import { isWhiteSpace } from './white-space.ts';

export type WordRule = 'whitespace' | 'unicode';

/**
 * The words of a text, in order; no empty words, so a text without words gives an empty list.
 *
 * - `whitespace`: what lies between white space, as Python's `str.split()`. Punctuation sticks to its word.
 * - `unicode`: runs of letters, marks and digits that begin with a letter or digit. An apostrophe (' or ’) or a
 *   zero-width joiner between two such characters belongs to the word, as Hindi and Persian spelling needs.
 *
 * @example words("I don't, really", 'whitespace') // ['I', "don't,", 'really']
 * @example words("I don't, really", 'unicode') // ['I', "don't", 'really']
 */
export function words(text: string, rule: WordRule): string[] {
  const found: string[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const end = rule === 'whitespace' ? blockEnd(text, at) : tokenEnd(text, at);
    if (rule === 'whitespace' || startsWord(text, at)) found.push(text.slice(at, end));
    at = skipSpace(text, end);
  }
  return found;
}

/**
 * Where the tokens of a text lie, in UTF-16 units, for scoring token by token.
 *
 * With `whitespace` these are exactly the words. With `unicode` every other code point that is not white space is a
 * token too, together with the marks upon it, so that each visible character lies in exactly one token.
 *
 * @example wordSpans('Hi ❤️!', 'unicode') // [{ start: 0, end: 2 }, { start: 3, end: 5 }, { start: 5, end: 6 }]
 */
export function wordSpans(text: string, rule: WordRule): Span[] {
  const found: Span[] = [];
  let start = skipSpace(text, 0);
  while (start < text.length) {
    const end = rule === 'whitespace' ? blockEnd(text, start) : tokenEnd(text, start);
    found.push({ start, end });
    start = skipSpace(text, end);
  }
  return found;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function blockEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function tokenEnd(text: string, start: number): number {
  const inWord = startsWord(text, start);
  let at = start + width(text, start);
  while (at < text.length) {
    const next = characterKind(text.codePointAt(at) ?? 0);
    if (next === kind.mark || (inWord && next === kind.letterOrDigit)) at += width(text, at);
    else if (inWord && joinsWords(text.charCodeAt(at)) && startsWord(text, at + 1)) at += 1;
    else break;
  }
  return at;
}

// A mark alone does not start a word: the variation selector of an emoji would be an invisible one.
function startsWord(text: string, at: number): boolean {
  return at < text.length && characterKind(text.codePointAt(at) ?? 0) === kind.letterOrDigit;
}

function joinsWords(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019 || unit === 0x200c || unit === 0x200d;
}

function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
