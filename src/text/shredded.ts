import { escapePattern } from './escape-pattern.ts';
import { TextScan, wordHashes } from './text-scan.ts';
import lists from './word-lists.json' with { type: 'json' };
import { isFunctionWord } from './words.ts';

/** Short words beside the function words: English, and Hindi in Latin letters. */
const SHORT_WORDS = new Set(lists.shortWords.split(' '));
/** Function words of English that are seldom words of another language written in Latin letters: unlike in, was, had, for, is. */
const ENGLISH_ONLY = new Set(lists.englishOnly.split(' '));
/** Of the whole words of an English text every fourth is among these; of a text in Danish, Dutch or pinyin hardly any. */
const ENGLISH_SHARE = 0.15;
/** Which hashes of words may be theirs. */
const HASHED = 0xfff;
const ENGLISH_HASHES = new Uint8Array(HASHED + 1);
for (const hash of wordHashes(lists.englishOnly)) ENGLISH_HASHES[hash & HASHED] = 1;

const SPACES = /\s+/g;
const TOKENS = /\S+/g;
/** Of at most three small letters, with a vowel. */
const PIECE = /^(?=.*[aeiouy])[a-z]{1,3}$/;
/** A word of English letters, whatever stands around it. */
const ENGLISH_WORD = /^[^\p{L}\p{N}]*([A-Za-z]+)[^\p{L}\p{N}]*$/u;
const MARK = /\p{M}/u;
const LEAST_WORDS = 15;
const LEAST_RUN = 2;
const LONGEST_BEFORE = 40;

/** Tokens that may be pieces, side by side. */
const SHORT_TOKENS = /(?<!\S)[a-z]{1,3}(?:\s+[a-z]{1,3}(?!\S))+/g;

const shared = new TextScan();

/**
 * Looks for words cut into pieces, as joining tokens by spaces does ("Spin oc ere bell ar"): runs of two or more pieces of
 * at most three letters that are no words, each with the word before it. A text that is short, or not surely English, has
 * none. Such runs are rare in whole text ("jet lag"): what counts is how many there are in how many words.
 *
 * @example shreddingOf('… the At ax ia of the patient …').runs // ['At ax ia']
 */
export function shreddingOf(text: string, scanned = shared.scan(text)): { words: number; runs: string[] } {
  const { all: words, long } = scanned.tokens();
  const runs: string[] = [];
  // A mark on a letter hides a word from its hash.
  const mayBeEnglish = likeEnglish(scanned.words) >= ENGLISH_SHARE * long || (!scanned.isPlain && MARK.test(text));
  if (words < LEAST_WORDS || !mayBeEnglish || !hasRun(text)) return { words, runs };
  const tokens = text.match(TOKENS) ?? [];
  // Few texts have any, so it is only then asked what language this is.
  const whole = tokens.filter((token) => !isPiece(token)).length;
  if (englishWords(tokens) < ENGLISH_SHARE * whole) return { words, runs };
  let run = 0;
  for (let token = 0; token <= words; token += 1) {
    if (token < words && isPiece(tokens[token]!)) {
      run += 1;
      continue;
    }
    const before = (tokens[token - run - 1] ?? '').slice(1 - LONGEST_BEFORE);
    if (run >= LEAST_RUN) runs.push([before, ...tokens.slice(token - run, token)].join(' ').trim());
    run = 0;
  }
  return { words, runs };
}

function hasRun(text: string): boolean {
  const begins = (token: string, at: number, all: readonly string[]): boolean =>
    isPiece(token) && isPiece(all[at + 1] ?? '');
  return text.matchAll(SHORT_TOKENS).some(([some]) => some.split(SPACES).some(begins));
}

/** How many words may be those that only English has. */
function likeEnglish(words: Uint32Array): number {
  let english = 0;
  for (let at = 0; at < words.length; at += 1) english += ENGLISH_HASHES[words[at]! & HASHED]!;
  return english;
}

/** Whether a token is one to three small letters that are no word. */
function isPiece(token: string): boolean {
  return token.length <= 3 && PIECE.test(token) && !isFunctionWord(token) && !SHORT_WORDS.has(token);
}

/** How many tokens are words that only English has. */
function englishWords(tokens: readonly string[]): number {
  return tokens.filter((token) => ENGLISH_ONLY.has(ENGLISH_WORD.exec(token)?.[1]?.toLowerCase() ?? '')).length;
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
  const place = new RegExp(letters.map(escapePattern).join(' ?')).exec(whole);
  return place !== null && own.split(' ').length > place[0].split(' ').length;
}
