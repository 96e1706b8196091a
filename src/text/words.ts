import { characterKind, isWhiteSpace, kind, skipSpace } from './characters.ts';
import type { Span } from './span.ts';
import lists from './word-lists.json' with { type: 'json' };

export type WordRule = 'whitespace' | 'unicode';

/**
 * The words of a text, in order. By `whitespace` what lies between white space, as Python's `str.split()`: punctuation
 * sticks to its word. By `unicode` runs of letters, marks and digits that begin with a letter or digit; an apostrophe or a
 * zero-width joiner between two such characters belongs to the word, as Hindi and Persian spelling needs.
 *
 * @example words("I don't, really", 'whitespace') // ['I', "don't,", 'really']
 * @example words("I don't, really", 'unicode') // ['I', "don't", 'really']
 */
export function words(text: string, rule: WordRule): string[] {
  const tokens = wordSpans(text, rule).map(({ start, end }) => text.slice(start, end));
  return rule === 'whitespace' ? tokens : tokens.filter((token) => startsWord(token, 0));
}

/**
 * The places of a text's tokens, in UTF-16 units: its words, and by `unicode` also every other code point that is not
 * white space, with the marks upon it, so that each visible character is in exactly one token.
 *
 * @example wordSpans('Hi ❤️!', 'unicode') // [{ start: 0, end: 2 }, { start: 3, end: 5 }, { start: 5, end: 6 }]
 */
export function wordSpans(text: string, rule: WordRule): Span[] {
  const found: Span[] = [];
  for (let start = skipSpace(text, 0), end = 0; start < text.length; start = skipSpace(text, end)) {
    end = rule === 'whitespace' ? blockEnd(text, start) : tokenEnd(text, start);
    found.push({ start, end });
  }
  return found;
}

function blockEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function tokenEnd(text: string, start: number): number {
  const inWord = startsWord(text, start);
  let at = start + width(text.codePointAt(start) ?? 0);
  while (at < text.length) {
    const codePoint = text.codePointAt(at) ?? 0;
    const next = characterKind(codePoint);
    if (next === kind.mark || (inWord && next === kind.letterOrDigit)) at += width(codePoint);
    else if (inWord && joinsWords(codePoint) && startsWord(text, at + 1)) at += 1;
    else break;
  }
  return at;
}

// A mark alone does not start a word: the variation selector of an emoji would be an invisible one.
function startsWord(text: string, at: number): boolean {
  return at < text.length && characterKind(text.codePointAt(at) ?? 0) === kind.letterOrDigit;
}

function joinsWords(codePoint: number): boolean {
  return codePoint === 0x27 || codePoint === 0x2019 || codePoint === 0x200c || codePoint === 0x200d;
}

function width(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

const FUNCTION_WORDS = new Set(`${lists.functionWords.english} ${lists.functionWords.hindi}`.split(' '));

/** Whether a word, in lower case, only holds a sentence together: English and Hindi. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** The other words of a text, in lower case and composed form. */
export function contentWords(text: string): string[] {
  return words(text.normalize('NFC').toLowerCase(), 'unicode').filter((word) => !isFunctionWord(word));
}

/** The set of lower-cased words of a text. Example: 'No pain, no gain' has no, pain and gain. */
export function wordSet(text: string, rule: WordRule): Set<string> {
  return new Set(words(text.toLowerCase(), rule));
}

/**
 * Jaccard similarity of two sets: |a ∩ b| / |a ∪ b|, from 0 (nothing in common) to 1 (equal). 0/0 does not come up: two
 * empty sets are equal, so 1; one empty set is 0. Jaccard, P. (1912), The distribution of the flora in the alpine zone.
 *
 * @example jaccard(new Set(['bad', 'headache']), new Set(['headache'])) // 0.5
 */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const member of smaller) if (larger.has(member)) common += 1;
  return common / (a.size + b.size - common);
}
