import { isWhiteSpace, skipSpace, skipSpaceBack } from './characters.ts';
import type { Span } from './span.ts';
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

const LINE = /[^\n\r\u000b\u000c\u0085\u2028\u2029]*(\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029]|$)/gu;
const ENDS_OPEN = /[:：][*_]{0,3}$/u;
const ENDS_SENTENCE = /[.!?…।॥。！？]["'”’»)\]}*_]{0,3}$/u;
const BEGINS_SMALL = /^["'“‘(*_]{0,3}\p{Ll}/u;
const BEGINS_CAPITAL = /^["'“‘(*_]{0,3}\p{Lu}/u;
const ENDS_MARKED = /[\p{P}--[\)"”’*_]]$/v;
const TITLE_WORD = /^[("'“‘*_]{0,3}(?:\p{Lu}|\p{Nd}|&|(?:an?|and|at|by|for|from|in|of|on|or|the|to|with|vs)$)/u;
/** A line all in bold, with or without a colon after it. */
const BOLD = /^(\*\*|__)(?:(?!\1).)+\1:?$/u;
const LONGEST_TITLE = 80;
const MOST_TITLE_WORDS = 8;
/** A bullet, a quotation in it, a number in that: nobody writes more. */
const MOST_MARKERS = 4;

interface Line extends Span {
  readonly text: string;
  readonly indent: number;
  readonly kind: 'plain' | 'item' | 'alone' | 'gap';
}

/** Its first and its last line. */
type Block = Record<'first' | 'last', Line>;

/**
 * The paragraphs, list items, headings and table rows of a text, in order, trimmed and without their markers.
 *
 * Blocks part at a blank line, a rule (`---`), before a list item, around a heading (`#`, a line all in bold, a short
 * line of Capitalised Words), after a line that ends with a colon, and after a list item unless the next line is
 * indented or goes on in small letters. A line that was only wrapped stays with the line before it, also if it begins with
 * a number, unless a list is under way, a sentence just ended, or the number is 1.
 *
 * @example textBlocks('Eat:\n- rice\n- dal') // [{ start: 0, end: 4 }, { start: 7, end: 11 }, { start: 14, end: 17 }]
 */
export function textBlocks(text: string): Span[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  for (const { 0: whole, 1: end = '', index } of text.matchAll(LINE)) {
    if (whole === '') break;
    const line = lineOf(text, index, index + whole.length - end.length, open);
    if (open !== null && line.kind === 'plain' && continuesBlock(open, line)) open.last = line;
    else if (line.kind === 'gap') open = null;
    else blocks.push((open = { first: line, last: line }));
    // U+2029 ends a paragraph, not only a line.
    if (end === '\u2029') open = null;
  }
  return blocks.map(({ first, last }) => ({ start: first.start, end: last.end }));
}

function lineOf(text: string, from: number, to: number, open: Block | null): Line {
  const end = skipSpaceBack(text, from, to);
  let start = end === from ? end : skipSpace(text, from);
  const indent = start - from;
  const line = text.slice(start, end);
  if (start === end || RULE.test(line)) return { start, end, text: '', indent, kind: 'gap' };
  if (line.startsWith('|') || BOLD.test(line)) return { start, end, text: line, indent, kind: 'alone' };
  let kind: Line['kind'] = 'plain';
  for (let count = 0; count < MOST_MARKERS; count += 1) {
    const marker = lineMarker(text, start);
    if (marker === null || (marker.number !== null && !maybeNumbered(marker.number, open, count))) break;
    start = marker.end;
    if (marker.kind !== 'quote' && kind === 'plain') kind = marker.kind === 'item' ? 'item' : 'alone';
    if (start >= end) return { start: end, end, text: '', indent, kind: 'gap' };
  }
  return { start, end, text: text.slice(start, end), indent, kind };
}

function maybeNumbered(number: number, open: Block | null, before: number): boolean {
  if (open === null || before > 0 || number === 1) return true;
  const { first, last } = open;
  return first.kind === 'item' || last.kind === 'alone' || ENDS_SENTENCE.test(last.text) || ENDS_OPEN.test(last.text);
}

function continuesBlock({ first, last }: Block, line: Line): boolean {
  if (last.kind === 'alone' || ENDS_OPEN.test(last.text)) return false;
  if (first.kind === 'item')
    return line.indent > first.indent || (BEGINS_SMALL.test(line.text) && !ENDS_SENTENCE.test(last.text));
  return !(first === last && isTitle(last.text) && BEGINS_CAPITAL.test(line.text));
}

function isTitle(line: string): boolean {
  if (line.length > LONGEST_TITLE || !BEGINS_CAPITAL.test(line) || ENDS_MARKED.test(line)) return false;
  const words = line.split(/[ \t\u00a0]+/u);
  return words.length <= MOST_TITLE_WORDS && words.every((word) => TITLE_WORD.test(word));
}

const BULLET = /[-*+–—·∙](?:[ \t\u00a0]+\[[ xX]\])?[ \t\u00a0]+|[•‣▪◦●○■□➢➤►▶✓✔✅][\ufe0f]?[ \t\u00a0]*/uy;
const NUMBERED = /\(?(\p{Nd}{1,3})(?:\)[ \t\u00a0]*|[.][ \t\u00a0]+|[.](?=\p{L}))/uy;
const LETTER_MARKER = /(?:\((?:\p{L}|[ivx]{1,4})\)|(?:\p{L}|[ivx]{1,4})\)|[a-z]\.(?![ \t\u00a0]*\p{Nd}))[ \t\u00a0]+/uy;
const MARKERS = [
  ['quote', />[ \t\u00a0]*/uy],
  ['heading', /#{1,6}[ \t\u00a0]+/uy],
  ...[BULLET, LETTER_MARKER, NUMBERED].map((pattern) => ['item', pattern] as const),
] as const;
/** A line that only divides: `---`, `***`, `|---|---|`. */
const RULE = /^[-*_=|:+~][-*_=|:+~ \t\u00a0]*$/u;

/** The marker where the words of a line begin, up to its own words (`end`); null where it has none. */
function lineMarker(text: string, at: number) {
  for (const [kind, pattern] of MARKERS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const number =
      match[1] === undefined ? null : [...match[1]].reduce((sum, digit) => sum * 10 + digitValue(digit), 0);
    return { kind, end: pattern.lastIndex, number };
  }
  return null;
}

/** Decimal digits of any script come in runs of ten that begin with its zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}
