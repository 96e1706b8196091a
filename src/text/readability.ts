import { sentenceSpans } from './sentences.ts';
import { syllables } from './syllables.ts';

export interface Readability {
  readonly words: number;
  readonly sentences: number;
  readonly syllables: number;
  /** Higher is easier: 90 and more is very easy, 60 to 70 plain English, below 30 very difficult. */
  readonly flesch_reading_ease: number;
  /** The school year (of the United States) that it takes. */
  readonly flesch_kincaid_grade: number;
}

/** Why it is missing. */
export interface NoReadability extends Pick<Readability, 'words' | 'sentences'> {
  readonly undefined: string;
}

const LETTER = /\p{L}/gu;
const LATIN_LETTER = /\p{Script=Latin}/gu;
const ENGLISH = /^en(?:g|glish)?(?:[-_].*)?$/iu;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;
const ONLY_ENGLISH = 'Flesch is defined for English only';

/**
 * How hard a text is to read, from the lengths of its sentences and words:
 *
 *   reading ease = 206.835 - 1.015 · words/sentences - 84.6 · syllables/words            (Flesch 1948)
 *   grade        =   0.39 · words/sentences + 11.8 · syllables/words - 15.59             (Kincaid and others 1975)
 *
 * Each item of a list is a sentence. Undefined for a text without words, for another language, and where most letters are
 * not Latin; `null` leaves the language to its letters, which do not distinguish French from English.
 *
 * @example readability('The cat sat on the mat.', 'en') // words 6, syllables 6, reading ease 116.145, grade -1.45
 */
export function readability(text: string, language: string | null): Readability | NoReadability {
  const foreign = foreignness(text, language);
  const wordsOf = foreign === null ? readingWords : (sentence: string): string[] => sentence.match(WORD) ?? [];
  const sentences = sentenceSpans(text)
    .map(({ start, end }) => wordsOf(text.slice(start, end)))
    .filter(({ length }) => length > 0);
  const words = sentences.flat();
  const counted = { words: words.length, sentences: sentences.length };
  const why = foreign ?? (words.length === 0 ? 'there are no words to count' : null);
  if (why !== null) return { undefined: why, ...counted };
  const spoken = words.reduce((sum, word) => sum + spokenSyllables(word), 0);
  const length = counted.words / counted.sentences;
  const weight = spoken / counted.words;
  return {
    ...counted,
    syllables: spoken,
    flesch_reading_ease: 206.835 - 1.015 * length - 84.6 * weight,
    flesch_kincaid_grade: 0.39 * length + 11.8 * weight - 15.59,
  };
}

function foreignness(text: string, language: string | null): string | null {
  if (language !== null && !ENGLISH.test(language.trim())) return ONLY_ENGLISH;
  const letters = text.match(LETTER)?.length ?? 0;
  const latin = text.match(LATIN_LETTER)?.length ?? 0;
  return latin * 2 < letters ? `${ONLY_ENGLISH}: most letters of this text are not Latin` : null;
}

/** Nobody reads such a thing as a word; it keeps the patterns below from long work on hostile text. */
const LONGEST = 200;
const ADDRESS = /^[("'<[]*(?:[a-z][a-z0-9+.-]*:\/\/|www\.)|^[^\s@]+@[^\s@]+\.[^\s@]+$/iu;
/** A dash between words parts them; so does a slash, an ellipsis, and a bar of a table. */
const PARTS = /[/|\\…—–]|--+|\.{2,}/u;
const OUTSIDE = /^[^\p{L}\p{N}$€£₹&]+|[^\p{L}\p{N}%]+$/gu;
const LATIN_OR_FIGURE = /\p{Script=Latin}|\p{Nd}|&/u;
/** Figures, letters with full stops (e.g, B.A.M.S), letters without a vowel (TV, mg, tbsp), signs. */
const SHORTHAND = /\p{Nd}|^(?:\p{L}\.)+\p{L}?$|^[^aeiouyAEIOUY]*$|^(?:approx|prof|dept|govt|etc)$/u;

/**
 * The words of an English sentence as Flesch counts them (How to Write Plain English, 1979, chapter 2): what stands between
 * white space is one word, so contractions, hyphenated words, abbreviations, figures and signs with them are one each.
 * Dashes and slashes part words. Addresses, lone punctuation and words in other scripts are no words here.
 *
 * @example readingWords('Take 2.5 mg well-mixed.') // ['Take', '2.5', 'mg', 'well-mixed']
 */
export function readingWords(sentence: string): string[] {
  return sentence
    .split(/\s+/u)
    .filter((token) => token.length <= LONGEST && !ADDRESS.test(token))
    .flatMap((token) => token.split(PARTS))
    .map((part) => part.replaceAll(OUTSIDE, ''))
    .filter((text) => LATIN_OR_FIGURE.test(text));
}

/** The syllables of such a word; an abbreviation or a figure has one, and so has each that a hyphen joins. */
export function spokenSyllables(word: string): number {
  const parts = word.normalize('NFD').split(/[-‐‑]/u);
  const isShort = (part: string): boolean => SHORTHAND.test(part.replaceAll(/\p{M}/gu, ''));
  const spoken = parts.map((part) => (part !== '' && isShort(part) ? 1 : syllables(part)));
  const sum = spoken.reduce((total, own) => total + own);
  return Math.max(1, sum);
}
