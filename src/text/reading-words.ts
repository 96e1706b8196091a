import { syllables } from './syllables.ts';

/** Nobody reads such a thing as a word; it keeps the patterns below from long work on hostile text. */
const LONGEST = 200;
const ADDRESS = /^[("'<[]*(?:[a-z][a-z0-9+.-]*:\/\/|www\.)|^[^\s@]+@[^\s@]+\.[^\s@]+$/iu;
/** A dash between words parts them; so does a slash, an ellipsis, and a bar of a table. */
const PARTS = /[/|\\…—–]|--+|\.{2,}/u;
const OUTSIDE = /^[^\p{L}\p{N}$€£₹&]+|[^\p{L}\p{N}%]+$/gu;
const LATIN_OR_FIGURE = /\p{Script=Latin}|\p{Nd}|&/u;
/** Figures, letters with full stops (e.g, B.A.M.S), letters without a vowel (TV, mg, tbsp), signs. */
const SHORTHAND = /\p{Nd}|^(?:\p{L}\.)+\p{L}?$|^[^aeiouyAEIOUY]*$|^(?:approx|prof|dept|govt|etc)$/u;

/** One word, with the syllables that it counts. */
export interface ReadingWord {
  readonly text: string;
  readonly syllables: number;
}

/**
 * The words of an English sentence as Flesch counts them (How to Write Plain English, 1979, chapter 2): what stands
 * between white space is one word, so contractions, hyphenated words, abbreviations, figures and signs with them are one
 * each; abbreviations and figures have one syllable. Dashes and slashes part words. Addresses, lone punctuation and
 * words in other scripts are no words here.
 *
 * @example readingWords('Take 2.5 mg well-mixed.').map((word) => word.syllables) // [1, 1, 1, 2]
 */
export function readingWords(sentence: string): ReadingWord[] {
  const found: ReadingWord[] = [];
  for (const token of sentence.split(/\s+/u)) {
    if (token.length > LONGEST || ADDRESS.test(token)) continue;
    for (const part of token.split(PARTS)) {
      const text = part.replaceAll(OUTSIDE, '');
      if (LATIN_OR_FIGURE.test(text)) found.push({ text, syllables: spoken(text) });
    }
  }
  return found;
}

function spoken(text: string): number {
  let sum = 0;
  for (const part of text.normalize('NFD').split(/[-‐‑]/u))
    if (part !== '') sum += SHORTHAND.test(part.replaceAll(/\p{M}/gu, '')) ? 1 : syllables(part);
  return Math.max(1, sum);
}
