import { utf16Units } from './characters.ts';
import { wordHashes } from './shingles.ts';
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
/** Of at most three small letters, with a vowel. */
const PIECE = /^(?=.*[aeiouy])[a-z]{1,3}$/;
/** A word of English letters, whatever stands around it. */
const ENGLISH_WORD = /^[^\p{L}\p{N}]*([A-Za-z]+)[^\p{L}\p{N}]*$/u;
const MARK = /\p{M}/u;
const FIRST_MARK = 0x300;
const LEAST_WORDS = 15;
const LEAST_RUN = 2;
const LONGEST_BEFORE = 40;

/** What each unit is in a token: its place in the alphabet for a small letter, OTHER for all else, 0 for white space. */
const OTHER = 31;
const LETTERS = new Uint8Array(0x10000).fill(OTHER);
for (const unit of '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')
  LETTERS[unit.charCodeAt(0)] = 0;
for (let letter = 1; letter <= 26; letter += 1) LETTERS[0x60 + letter] = letter;

/** Whether one to three letters, as a number of five bits each, are a piece; 0 until it is asked for. */
const knownPieces = new Uint8Array(1 << 15);
const [YES, NO] = [1, 2];

/** Of the text at hand, where its tokens begin and end, one after another, and the last letters of each as one number. */
let bounds = new Int32Array(4096);
let endings = new Int32Array(4096);
/** The bits of all its units. */
let allBits = 0;

/**
 * Looks for words cut into pieces, as joining tokens by spaces does ("Spin oc ere bell ar"): runs of two or more pieces of
 * at most three letters that are no words, each with the word before it. A text that is short, or not surely English, has
 * none. Such runs are rare in whole text ("jet lag"): what counts is how many there are in how many words.
 *
 * @example shreddingOf('… the At ax ia of the patient …').runs // ['At ax ia']
 */
export function shreddingOf(
  text: string,
  hashes: Uint32Array = wordHashes(text),
): { readonly words: number; readonly runs: readonly string[] } {
  const words = findTokens(text);
  if (words < LEAST_WORDS || !mayBeShredded(text, words, hashes)) return { words, runs: [] };
  const tokenAt = (at: number): string => (at < 0 ? '' : text.slice(bounds[2 * at], bounds[2 * at + 1]));
  /** The first token of each run, and the token after it. */
  const found: number[] = [];
  let run = 0;
  let whole = 0;
  for (let token = 0; token <= words; token += 1) {
    if (token < words && isPiece(endings[token]!)) {
      run += 1;
      continue;
    }
    if (run >= LEAST_RUN) found.push(token - run, token);
    run = 0;
    whole += 1;
  }
  const runs: string[] = [];
  // Few texts have any, so it is only then asked what language this is. Nothing is whole past the end.
  if (found.length === 0 || englishWords(text, words) < ENGLISH_SHARE * (whole - 1)) return { words, runs };
  for (let at = 0; at < found.length; at += 2) {
    const [from, to] = [found[at]!, found[at + 1]!];
    const pieces = Array.from({ length: to - from }, (_, piece) => tokenAt(from + piece));
    runs.push([tokenAt(from - 1).slice(1 - LONGEST_BEFORE), ...pieces].join(' ').trim());
  }
  return { words, runs };
}

/** False where a text has too few words of English among those that are too long for a piece. */
function mayBeShredded(text: string, words: number, hashes: Uint32Array): boolean {
  // A mark on a letter hides a word from its hash.
  if (allBits >= FIRST_MARK && MARK.test(text)) return true;
  let english = 0;
  for (let at = 0; at < hashes.length; at += 1) english += ENGLISH_HASHES[hashes[at]! & HASHED]!;
  let whole = 0;
  for (let token = 0; token < words; token += 1) whole += endings[token]! >>> 15 === 0 ? 0 : 1;
  return english >= ENGLISH_SHARE * whole;
}

/** Finds what stands between white space, and how many such tokens there are; without branches, which nobody can foresee. */
function findTokens(text: string): number {
  if (bounds.length < text.length + 2)
    [bounds, endings] = [new Int32Array(2 * text.length), new Int32Array(text.length)];
  const [units, length] = [utf16Units(text), text.length];
  let n = 0;
  let letters = 0;
  let inside = 0;
  let bits = 0;
  for (let at = 0; at < length; at += 1) {
    const letter = LETTERS[units[at]!]!;
    bits |= units[at]!;
    const isInside = -letter >>> 31;
    bounds[n] = at;
    endings[n >> 1] = letters;
    n += isInside ^ inside;
    letters = ((letters << 5) | letter) & -isInside;
    inside = isInside;
  }
  allBits = bits;
  bounds[n] = text.length;
  endings[n >> 1] = letters;
  return (n + inside) / 2;
}

/** Whether one to three small letters, as a number, are no word. */
function isPiece(letters: number): boolean {
  if (letters >>> 15 !== 0) return false;
  if (knownPieces[letters] === 0) {
    const units = [letters >> 10, (letters >> 5) & 31, letters & 31].filter((letter) => letter > 0);
    const token = String.fromCharCode(...units.map((letter) => 0x60 + letter));
    const isCut = PIECE.test(token) && !isFunctionWord(token) && !SHORT_WORDS.has(token);
    knownPieces[letters] = isCut ? YES : NO;
  }
  return knownPieces[letters] === YES;
}

/** How many tokens are words that only English has. */
function englishWords(text: string, words: number): number {
  let n = 0;
  for (let token = 0; token < words; token += 1) {
    const word = ENGLISH_WORD.exec(text.slice(bounds[2 * token], bounds[2 * token + 1]))?.[1]?.toLowerCase();
    if (word !== undefined && ENGLISH_ONLY.has(word)) n += 1;
  }
  return n;
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
