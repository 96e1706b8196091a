import lists from './word-lists.json' with { type: 'json' };
import { isFunctionWord } from './words.ts';

/** Short words beside the function words: English, and Hindi in Latin letters. */
const SHORT_WORDS = new Set(lists.shortWords.split(' '));
/** Function words of English that are seldom words of another language written in Latin letters: unlike in, was, had, for, is. */
const ENGLISH_ONLY = new Set(lists.englishOnly.split(' '));
/** Of the whole words of an English text every fourth is among these; of a text in Danish, Dutch or pinyin hardly any. */
const ENGLISH_SHARE = 0.15;

const SPACES = /\s+/g;
/** Of at most three small letters, with a vowel. */
const PIECE = /^(?=.*[aeiouy])[a-z]{1,3}$/;
/** A word of English letters, whatever stands around it. */
const ENGLISH_WORD = /^[^\p{L}\p{N}]*([A-Za-z]+)[^\p{L}\p{N}]*$/u;
const LEAST_WORDS = 15;
const LEAST_RUN = 2;
const LONGEST_BEFORE = 40;

/**
 * Looks for words cut into pieces, as joining tokens by spaces does ("Spin oc ere bell ar"): runs of two or more pieces of
 * at most three letters that are no words, each with the word before it. A text that is short, or not surely English, has
 * none. Such runs are rare in whole text ("jet lag"): what counts is how many there are in how many words.
 *
 * @example shreddingOf('… the At ax ia of the patient …').runs // ['At ax ia']
 */
export function shreddingOf(text: string): { readonly words: number; readonly runs: readonly string[] } {
  const tokens = text.trim().split(SPACES);
  const words = tokens[0] === '' ? 0 : tokens.length;
  const runs: string[] = [];
  for (let at = 0; at < words; at += 1) {
    const from = at;
    while (at < words && isPiece(tokens[at]!)) at += 1;
    const before = tokens[from - 1]?.slice(1 - LONGEST_BEFORE) ?? '';
    if (at - from >= LEAST_RUN) runs.push([before, ...tokens.slice(from, at)].join(' ').trim());
  }
  // Few texts have any, so it is only then asked what language this is.
  return { words, runs: runs.length > 0 && words >= LEAST_WORDS && isEnglish(tokens) ? runs : [] };
}

/** Whether a token of one to three small letters is no word. */
function isPiece(token: string): boolean {
  return token.length <= 3 && PIECE.test(token) && !isFunctionWord(token) && !SHORT_WORDS.has(token);
}

/** Only of English it is known which short words it has. */
function isEnglish(tokens: readonly string[]): boolean {
  const whole = tokens.filter((token) => !isPiece(token));
  const english = whole.filter((token) => ENGLISH_ONLY.has(ENGLISH_WORD.exec(token)?.[1]?.toLowerCase() ?? ''));
  return english.length >= ENGLISH_SHARE * whole.length;
}

/**
 * Whether a quote is in a text but for spaces put inside its words. Line breaks and runs of spaces do not count.
 *
 * @example isSpacedOut('at ax ia', 'His ataxia got worse') // true
 */
export function isSpacedOut(quote: string, text: string): boolean {
  const own = quote.trim().replace(SPACES, ' ');
  const whole = text.replace(SPACES, ' ');
  if (whole.includes(own)) return false;
  const letters = own.replaceAll(' ', '').split('');
  const place = new RegExp(letters.map((letter) => RegExp.escape(letter)).join(' ?')).exec(whole);
  return place !== null && own.split(' ').length > place[0].split(' ').length;
}
