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

/** Whether one to three letters, as a number of five bits each, are a piece; 0 until it is asked for. */
const knownPieces = new Uint8Array(1 << 15);
const [YES, NO] = [1, 2];

const shared = new TextScan();

/**
 * Looks for words cut into pieces, as joining tokens by spaces does ("Spin oc ere bell ar"): runs of two or more pieces of
 * at most three letters that are no words, each with the word before it. A text that is short, or not surely English, has
 * none. Such runs are rare in whole text ("jet lag"): what counts is how many there are in how many words. A text that was
 * scanned is asked for only if it may have some.
 *
 * @example shreddingOf(() => '… the At ax ia of the patient …').runs // ['At ax ia']
 */
export function shreddingOf(textOf: () => string, scanned = shared.scan(textOf())): { words: number; runs: string[] } {
  const { tokens: words, endings } = scanned;
  const runs: string[] = [];
  if (words < LEAST_WORDS || !mayBeShredded(scanned, textOf)) return { words, runs };
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
  if (found.length === 0) return { words, runs };
  const tokens = textOf().match(TOKENS) ?? [];
  // Few texts have any, so it is only then asked what language this is. Nothing is whole past the end.
  if (englishWords(tokens) < ENGLISH_SHARE * (whole - 1)) return { words, runs };
  for (let at = 0; at < found.length; at += 2) {
    const [from, to] = [found[at]!, found[at + 1]!];
    runs.push([(tokens[from - 1] ?? '').slice(1 - LONGEST_BEFORE), ...tokens.slice(from, to)].join(' ').trim());
  }
  return { words, runs };
}

/** False where a text has too few words of English among those that are too long for a piece. */
function mayBeShredded({ words, tokens, endings, isPlain }: TextScan, textOf: () => string): boolean {
  let english = 0;
  for (let at = 0; at < words.length; at += 1) english += ENGLISH_HASHES[words[at]! & HASHED]!;
  let whole = 0;
  for (let token = 0; token < tokens; token += 1) whole += endings[token]! >>> 15 === 0 ? 0 : 1;
  // A mark on a letter hides a word from its hash.
  return english >= ENGLISH_SHARE * whole || (!isPlain && MARK.test(textOf()));
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
  const place = new RegExp(letters.map((letter) => RegExp.escape(letter)).join(' ?')).exec(whole);
  return place !== null && own.split(' ').length > place[0].split(' ').length;
}
