import { isWhiteSpace } from './characters.ts';
import type { Span } from './span.ts';
import lists from './word-lists.json' with { type: 'json' };
import { isFunctionWord } from './words.ts';

/** Words of one to three letters that stand by themselves, beside the function words: English, and Hindi in Latin letters. */
const SHORT_WORDS = new Set(lists.shortWords.split(' '));
/** Function words of English that are seldom words of another language written in Latin letters: unlike in, was, had, for, is. */
const ENGLISH_ONLY = new Set(lists.englishOnly.split(' '));
/** Of the whole words of an English text every fourth is among these; of a text in Danish, Dutch or pinyin hardly any. */
const ENGLISH_SHARE = 0.15;

const SPACES = /\s+/g;
const LONGEST_PIECE = 3;
/** Of at most three small letters, with a vowel. */
const PIECE = /^(?=.*[aeiouy])[a-z]{1,3}$/;
/** A word of English letters, whatever stands around it. */
const ENGLISH_WORD = /^[^\p{L}\p{N}]*([A-Za-z]+)[^\p{L}\p{N}]*$/u;
const LEAST_WORDS = 15;
const LEAST_RUN = 2;
const LONGEST_BEFORE = 40;

/** What a text shows of words that were cut up. */
export interface Shredding {
  readonly words: number;
  /** Short pieces in a row that are no words, with the word before them. */
  readonly runs: readonly string[];
}

/**
 * Looks for words cut into pieces, as joining tokens by spaces does ("Spin oc ere bell ar"): two or more pieces of at most
 * three letters in a row that are no words. A text that is short, or not surely English, has none: what are pieces here may
 * be words there. Such runs are rare in whole text ("jet lag", "ad hoc"): what counts is how many there are in how many words.
 *
 * @example shreddingOf('… the At ax ia of the patient …').runs // ['At ax ia']
 */
export function shreddingOf(text: string): Shredding {
  const runs: Span[] = [];
  let [words, pieces, from, to, start] = [0, 0, 0, 0, -1];
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && !isSeparator(text.charCodeAt(at))) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      words += 1;
      if (at - start <= LONGEST_PIECE && isPiece(text.slice(start, at))) {
        if (pieces === 0) from = start;
        pieces += 1;
        to = at;
      } else {
        if (pieces >= LEAST_RUN) runs.push({ start: from, end: to });
        pieces = 0;
      }
      start = -1;
    }
  }
  if (pieces >= LEAST_RUN) runs.push({ start: from, end: to });
  // Few texts have any, so it is only then asked what language this is.
  const isTold = runs.length > 0 && words >= LEAST_WORDS && isEnglish(text);
  return { words, runs: isTold ? runs.map((run) => withWordBefore(text, run)) : [] };
}

/** What `\s` matches. */
function isSeparator(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return unit === 0xfeff || (unit !== 0x85 && isWhiteSpace(unit));
}

function withWordBefore(text: string, { start, end }: Span): string {
  const before = text
    .slice(Math.max(0, start - LONGEST_BEFORE), start)
    .trim()
    .split(SPACES)
    .at(-1);
  return [before ?? '', ...text.slice(start, end).split(SPACES)].join(' ').trim();
}

/** Whether a token of one to three small letters is no word. */
function isPiece(token: string): boolean {
  return PIECE.test(token) && !isFunctionWord(token) && !SHORT_WORDS.has(token);
}

/** Only of English it is known which short words it has. */
function isEnglish(text: string): boolean {
  const whole = text.split(SPACES).filter((token) => token !== '' && !isPiece(token));
  const english = whole.filter((token) => ENGLISH_ONLY.has(ENGLISH_WORD.exec(token)?.[1]?.toLowerCase() ?? ''));
  return english.length >= ENGLISH_SHARE * whole.length;
}

/**
 * Whether a quote stands in a text but for spaces put inside its words. Line breaks and runs of spaces do not count.
 *
 * @example isSpacedOut('at ax ia', 'His ataxia got worse') // true
 */
export function isSpacedOut(quote: string, text: string): boolean {
  const own = quote.trim().replace(SPACES, ' ');
  const whole = text.replace(SPACES, ' ');
  if (own === '' || !own.includes(' ') || whole.includes(own)) return false;
  const letters = own.replaceAll(' ', '');
  const at = whole.replaceAll(' ', '').indexOf(letters);
  if (at < 0) return false;
  let [spaces, seen] = [0, 0];
  for (const character of whole) {
    if (seen >= at + letters.length) break;
    if (character !== ' ') seen += character.length;
    else if (seen > at) spaces += 1;
  }
  return own.split(' ').length - 1 > spaces;
}
