import { fullStopEnds } from './abbreviations.ts';
import type { Span } from './span.ts';
import { textBlocks } from './text-blocks.ts';
import { isWhiteSpace } from './white-space.ts';

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
/** Longer than any abbreviation: looking further back or ahead tells nothing, and would cost on hostile text. */
const FAR = 40;

/**
 * Where the sentences of a text lie, in UTF-16 units: trimmed, in order, apart from each other, together everything
 * that is neither white space nor the marker of a list item, a heading or a quotation, nor a line that only divides.
 *
 * A sentence ends at . ! ? … and their like with the quotes and brackets that close there, at a danda, and with its
 * block (see textBlocks). A full stop in an abbreviation, an initial, a number or an address ends none; nor does a mark
 * inside quotes or brackets where the sentence goes on in small letters. Takes time in proportion to the text.
 *
 * @example sentenceSpans('Ask Dr. Rao. It helps.') // [{ start: 0, end: 12 }, { start: 13, end: 22 }]
 */
export function sentenceSpans(text: string): Span[] {
  return textBlocks(text).flatMap((block) => withinBlock(text, block));
}

function withinBlock(whole: string, block: Span): Span[] {
  const text = whole.slice(block.start, block.end);
  const found: { start: number; end: number }[] = [];
  let start = 0;
  let word = firstWord(text, 0);
  for (const match of text.matchAll(END)) {
    if (match.index < start || word > match.index) continue;
    const end = attached(text, match.index + match[0].length, match[0]);
    if (end === text.length || !ends(text, { start, at: match.index, end, mark: match[0] })) continue;
    found.push({ start, end });
    start = skipSpace(text, end);
    word = firstWord(text, start);
  }
  const last = found.at(-1);
  // What is left may be an emoji, or a dash: no sentence by itself.
  if (start < text.length && (word < text.length || last === undefined)) found.push({ start, end: text.length });
  else if (last !== undefined) last.end = text.length;
  return found.map((span) => ({ start: block.start + span.start, end: block.start + span.end }));
}

interface Place {
  readonly start: number;
  readonly at: number;
  readonly end: number;
  readonly mark: string;
}

function ends(text: string, { start, at, end, mark }: Place): boolean {
  if (CERTAIN.test(mark)) return true;
  if (!isWhiteSpace(text.charCodeAt(end))) return false;
  const gap = skipSpace(text, end);
  if (MARK.test(text.charAt(gap))) return false;
  const next = wordAfter(text, gap);
  const goesOn = LOWER.test(next);
  if (goesOn && CLOSED.test(mark)) return false;
  if (CALL.test(mark)) return true;
  if (DOTS.test(mark)) return !goesOn;
  const word = wordBefore(text, start, at);
  if (word === '' && goesOn) return false;
  return fullStopEnds({
    word: bare(word),
    before: wordBefore(text, start, skipBack(text, start, at - word.length)),
    next,
  });
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

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function skipBack(text: string, start: number, from: number): number {
  let at = from;
  while (at > start && from - at < FAR && isWhiteSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function wordBefore(text: string, start: number, end: number): string {
  let at = end;
  while (at > start && end - at < FAR && !isWhiteSpace(text.charCodeAt(at - 1))) at -= 1;
  return text.slice(at, end);
}

function wordAfter(text: string, from: number): string {
  let at = from;
  while (at < text.length && at - from < FAR && OPENERS.test(text.charAt(at))) at += 1;
  return text.slice(at, at + FAR);
}

function bare(word: string): string {
  return word.replace(/^["'“‘«‹([{*_`]+/u, '');
}
