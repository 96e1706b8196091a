import { isWhiteSpace, skipSpace, skipSpaceBack } from './characters.ts';
import type { Span } from './span.ts';
import { textBlocks } from './text-blocks.ts';
import lists from './word-lists.json' with { type: 'json' };

/** A mark that may end a sentence, with the marks, closing quotes, brackets and emphasis that stand upon it. */
const END = /[.!?…‼⁇⁈⁉؟۔।॥。！？｡][.!?…‼⁇⁈⁉؟۔।॥。！？｡"'”’»›)\]}*_`¹²³⁴-⁹」』）]*/gu;
/** These end a sentence whatever follows, with or without white space. */
const CERTAIN = /[।॥。！？｡۔]/u;
const CALL = /[!?‼⁇⁈⁉؟]/u;
const CLOSED = /["'”’»›)\]}」』）]/u;
const DOTS = /…|\.\s?\./u;
const MARK = /[.!?…‼⁇⁈⁉؟۔।॥。！？｡]/u;
/** The number of a verse between double dandas, and the number of a source in brackets: they go with what they number. */
const VERSE = /[ \t\u00a0]*\p{Nd}[\p{Nd}.\-–]{0,8}[ \t\u00a0]*॥/uy;
const SOURCES = /(?:\[\p{Nd}[\p{Nd},– -]{0,20}\])+/uy;
const OPENERS = /["'“‘«‹([{*_`¿¡「『（–—-]/u;
const WORD = /[\p{L}\p{N}]/gu;
const LOWER = /^\p{Ll}/u;
/** Longer than any abbreviation: looking further back or ahead does not help, and would cost on hostile text. */
const FAR = 40;

/**
 * The places of a text's sentences, in UTF-16 units: trimmed, in order, apart from each other, together all its blocks
 * (see textBlocks). A sentence ends with its block, at a danda, and at . ! ? … and their like with the quotes and brackets
 * that close there; but not at a full stop in an abbreviation, an initial, a number or an address, nor where it goes on in
 * small letters after a quote or bracket. Takes time in proportion to the text.
 *
 * @example sentenceSpans('Ask Dr. Rao. It helps.') // [{ start: 0, end: 12 }, { start: 13, end: 22 }]
 */
export function sentenceSpans(text: string): Span[] {
  return textBlocks(text).flatMap(({ start, end }) => withinBlock(text.slice(start, end), start));
}

/** The sentences of a block that begins at `from`. */
function withinBlock(text: string, from: number): Span[] {
  const found: { start: number; end: number }[] = [];
  let start = 0;
  let word = firstWord(text, 0);
  for (const { 0: mark, index: at } of text.matchAll(END)) {
    if (at < start || word > at) continue;
    const end = attached(text, at + mark.length, mark);
    if (end === text.length || !ends(text, start, at, end, mark)) continue;
    found.push({ start: from + start, end: from + end });
    start = skipSpace(text, end);
    word = firstWord(text, start);
  }
  const [last, end] = [found.at(-1), from + text.length];
  // What is left may be an emoji, or a dash: no sentence by itself.
  if (start < text.length && (word < text.length || last === undefined)) found.push({ start: from + start, end });
  else if (last !== undefined) last.end = end;
  return found;
}

/** Whether the mark that stands from `at` to `end` ends the sentence that began at `start`. */
function ends(text: string, start: number, at: number, end: number, mark: string): boolean {
  if (CERTAIN.test(mark)) return true;
  if (!isWhiteSpace(text.charCodeAt(end))) return false;
  let gap = skipSpace(text, end);
  if (MARK.test(text.charAt(gap))) return false;
  const from = gap;
  while (gap < text.length && gap - from < FAR && OPENERS.test(text.charAt(gap))) gap += 1;
  const next = text.slice(gap, gap + FAR);
  const goesOn = LOWER.test(next);
  if (goesOn && CLOSED.test(mark)) return false;
  if (CALL.test(mark)) return true;
  if (DOTS.test(mark)) return !goesOn;
  const word = wordBefore(text, start, at);
  if (word === '' && goesOn) return false;
  const begin = at - word.length;
  const before = wordBefore(text, start, skipSpaceBack(text, Math.max(start, begin - FAR), begin));
  return fullStopEnds({ word: word.replace(/^["'“‘«‹([{*_`]+/u, ''), before, next });
}

function attached(text: string, end: number, mark: string): number {
  const pattern = mark.includes('॥') ? VERSE : SOURCES;
  pattern.lastIndex = end;
  return pattern.test(text) ? pattern.lastIndex : end;
}

function firstWord(text: string, from: number): number {
  WORD.lastIndex = from;
  return WORD.exec(text)?.index ?? text.length;
}

function wordBefore(text: string, start: number, end: number): string {
  let at = end;
  while (at > start && end - at < FAR && !isWhiteSpace(text.charCodeAt(at - 1))) at -= 1;
  return text.slice(at, end);
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Stand before a name, and are written with a capital where the script has one. */
const TITLES = set(lists.abbreviations.titles);
/** Stand before what they belong to, so that no sentence ends with them. */
const INNER = set(lists.abbreviations.inner);
/** Stand before a number; otherwise they are words, or end a sentence like words. */
const BEFORE_NUMBER = set(lists.abbreviations.beforeNumber);
/** Continue before a small letter, and end a sentence before a capital. */
const MAY_END = set(lists.abbreviations.mayEnd);
/** Words with which sentences begin far more often than names do. */
const STARTERS = set(lists.sentenceStarters);
/** A letter after one of these is the end of a name: vitamin C, hepatitis B. */
const LETTERED = set(lists.letteredNames);
/** One letter with its vowel sign, and yet words, with which Hindi sentences end. */
const ENDING = set(lists.hindiEndings);

const VOWEL = /[aeiouy]/iu;
const ONE_LETTER = /^\p{L}\p{M}*$/u;
const DOTTED = /^(?:\p{L}\p{M}*){1,2}(?:\.(?:\p{L}\p{M}*){1,4})+$/u;
const LATIN = /^[A-Za-z]{2,}$/u;
const DIGIT = /^\p{Nd}/u;
const UPPER = /^\p{Lu}/u;
const SHORT_NUMBER = /^\p{Nd}{1,2}$/u;

/**
 * Whether a single full stop that white space follows ends a sentence. What follows decides where it may: a small letter or
 * a number goes on, a capital begins. `word` stands before it and `next` after it, both without opening quotes and
 * brackets; `before` is the word before that one, empty where it begins the sentence.
 *
 * @example fullStopEnds({ word: 'Dr', before: 'by', next: 'Rao' }) // false
 * @example fullStopEnds({ word: 'etc', before: 'nuts,', next: 'Avoid' }) // true
 */
export function fullStopEnds({ word, before, next }: Readonly<Record<'word' | 'before' | 'next', string>>): boolean {
  const plain = word.toLowerCase();
  const goesOn = LOWER.test(next);
  const begins = (): boolean =>
    UPPER.test(next) && STARTERS.has((/^[\p{L}\p{M}]+/u.exec(next)?.[0] ?? '').toLowerCase());
  if (SHORT_NUMBER.test(word)) return before !== '' && !/[:;,]$/u.test(before);
  if (TITLES.has(word) || INNER.has(plain)) return false;
  if (BEFORE_NUMBER.has(plain) && DIGIT.test(next)) return false;
  if (MAY_END.has(plain)) return !goesOn;
  if (ONE_LETTER.test(word) && !ENDING.has(word)) {
    if (LETTERED.has(before.toLowerCase())) return !goesOn;
    return before !== '' && (word === 'I' || begins());
  }
  if (DOTTED.test(word)) return begins();
  if (BEFORE_NUMBER.has(plain) && plain !== 'no') return !goesOn;
  return !(goesOn && LATIN.test(word) && !VOWEL.test(word));
}
