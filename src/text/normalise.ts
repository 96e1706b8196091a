import { skipSpace, skipSpaceBack } from './characters.ts';

// The same set as isWhiteSpace.
const WHITE_SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const SEPARATORS = new RegExp(`(?:_|${WHITE_SPACE.source})+`, 'g');
const PUNCTUATION = /\p{P}+/gu;
const MARKS = /\p{M}+/gu;

/** Named steps that make texts comparable. Each is pure, and doing it twice changes nothing more. */
export const normalisers = {
  lower: (text: string): string => text.toLowerCase(),
  // String.prototype.trim knows JavaScript's white space, not Python's.
  trim: (text: string): string => text.slice(skipSpace(text, 0), skipSpaceBack(text, 0, text.length)),
  collapse: (text: string): string => text.replace(WHITE_SPACE, ' '),
  // New_York, new york and NewYork: names of knowledge bases write spaces as underscores, or leave them out.
  separators: (text: string): string => text.replace(SEPARATORS, ''),
  nfc: (text: string): string => text.normalize('NFC'),
  // Symbols such as $, + and < stay.
  punctuation: (text: string): string => text.replace(PUNCTUATION, ''),
  // José becomes Jose. Only for scripts whose marks are accents: in Devanagari, Thai and the like the marks are vowels, and
  // words that differ become equal. Composing again keeps Hangul syllables one character each; lengths count in a similarity.
  diacritics: (text: string): string => text.normalize('NFD').replace(MARKS, '').normalize('NFC'),
} as const;

export type Normaliser = keyof typeof normalisers;

/** Applies steps from left to right. Example: lower, trim and collapse make 'new york' of '  New   York '. */
export function normalise(text: string, steps: readonly Normaliser[]): string {
  return steps.reduce((result, step) => normalisers[step](result), text);
}
