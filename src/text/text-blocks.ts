import { skipSpace, skipSpaceBack } from './characters.ts';
import type { Span } from './span.ts';

const LINE = /[^\n\r\u000b\u000c\u0085\u2028\u2029]*(\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029]|$)/gu;
const ENDS_OPEN = /[:：][*_]{0,3}$/u;
const ENDS_SENTENCE = /[.!?…।॥。！？]["'”’»)\]}*_]{0,3}$/u;
const BEGINS_SMALL = /^["'“‘(*_]{0,3}\p{Ll}/u;
const BEGINS_CAPITAL = /^["'“‘(*_]{0,3}\p{Lu}/u;
const ENDS_MARKED = /[\p{P}--[\)"”’*_]]$/v;
const TITLE_WORD = /^[("'“‘*_]{0,3}(?:\p{Lu}|\p{Nd}|&|(?:an?|and|at|by|for|from|in|of|on|or|the|to|with|vs)$)/u;
const LONGEST_TITLE = 80;
const MOST_TITLE_WORDS = 8;
/** A bullet, a quotation in it, a number in that: nobody writes more. */
const MOST_MARKERS = 4;

interface Line extends Span {
  readonly text: string;
  readonly indent: number;
  readonly kind: 'plain' | 'item' | 'alone' | 'gap';
  readonly number: number | null;
}

interface Block {
  readonly start: number;
  end: number;
  last: Line;
  lines: number;
  readonly isItem: boolean;
  readonly indent: number;
}

/**
 * The paragraphs, list items, headings and table rows of a text, in order, trimmed and without their markers. A line
 * that was only wrapped stays with the line before it.
 *
 * Blocks part at a blank line, a rule (`---`), before a list item, around a heading (`#`, a line all in bold, a short
 * line of Capitalised Words), after a line that ends with a colon, and after a list item unless the next line is
 * indented or goes on in small letters. A number at the beginning of a wrapped line makes a list item only where a
 * list is under way, a sentence just ended, or the number is 1.
 *
 * @example textBlocks('Eat:\n- rice\n- dal') // [{ start: 0, end: 4 }, { start: 7, end: 11 }, { start: 14, end: 17 }]
 */
export function textBlocks(text: string): Span[] {
  const blocks: Span[] = [];
  let open: Block | null = null;
  for (const line of lines(text, () => open)) {
    if (open !== null && line.kind === 'plain' && goesOn(open, line)) {
      open.end = line.end;
      open.last = line;
      open.lines += 1;
      continue;
    }
    open = null;
    if (line.kind === 'gap') continue;
    const { start, end, indent } = line;
    open = { start, end, last: line, lines: 1, isItem: line.kind === 'item', indent };
    blocks.push(open);
  }
  return blocks.map(({ start, end }) => ({ start, end }));
}

function* lines(text: string, open: () => Block | null): Generator<Line> {
  for (const match of text.matchAll(LINE)) {
    const [whole, end] = match;
    if (whole === '') break;
    yield lineOf(text, match.index, match.index + whole.length - (end ?? '').length, open());
    // U+2029 ends a paragraph, not only a line.
    if (end === '\u2029') yield { start: 0, end: 0, text: '', indent: 0, kind: 'gap', number: null };
  }
}

function lineOf(text: string, from: number, to: number, open: Block | null): Line {
  const end = skipSpaceBack(text, from, to);
  let start = end === from ? end : skipSpace(text, from);
  const indent = start - from;
  const line = text.slice(start, end);
  if (start === end || isRule(line)) return { start, end, text: '', indent, kind: 'gap', number: null };
  if (line.startsWith('|') || isBold(line)) return { start, end, text: line, indent, kind: 'alone', number: null };

  let kind: Line['kind'] = 'plain';
  let number: number | null = null;
  for (let count = 0; count < MOST_MARKERS; count += 1) {
    const marker = lineMarker(text, start);
    if (marker === null) break;
    if (marker.number !== null && !maybeNumbered(marker.number, open, count)) break;
    start = marker.end;
    number ??= marker.number;
    if (marker.kind !== 'quote' && kind === 'plain') kind = marker.kind === 'item' ? 'item' : 'alone';
    if (start >= end) return { start: end, end, text: '', indent, kind: 'gap', number };
  }
  return { start, end, text: text.slice(start, end), indent, kind, number };
}

function maybeNumbered(number: number, open: Block | null, before: number): boolean {
  if (open === null || before > 0 || number === 1) return true;
  const { text } = open.last;
  return open.isItem || open.last.kind === 'alone' || ENDS_SENTENCE.test(text) || ENDS_OPEN.test(text);
}

function goesOn(open: Block, line: Line): boolean {
  const { last } = open;
  if (last.kind === 'alone' || ENDS_OPEN.test(last.text)) return false;
  if (open.isItem) return line.indent > open.indent || (BEGINS_SMALL.test(line.text) && !ENDS_SENTENCE.test(last.text));
  return !(open.lines === 1 && isTitle(last.text) && BEGINS_CAPITAL.test(line.text));
}

function isBold(line: string): boolean {
  const mark = line.slice(0, 2);
  if (mark !== '**' && mark !== '__') return false;
  const body = line.endsWith(':') ? line.slice(0, -1) : line;
  return body.length > 4 && body.endsWith(mark) && body.indexOf(mark, 2) === body.length - 2;
}

function isTitle(line: string): boolean {
  if (line.length > LONGEST_TITLE || !BEGINS_CAPITAL.test(line) || ENDS_MARKED.test(line)) return false;
  const words = line.split(/[ \t\u00a0]+/u);
  return words.length <= MOST_TITLE_WORDS && words.every((word) => TITLE_WORD.test(word));
}

/** What a line begins with, or is: `end` is where its own words begin. */
export interface LineMarker {
  readonly kind: 'item' | 'heading' | 'quote';
  readonly end: number;
  /** Of a numbered item. */
  readonly number: number | null;
}

const BULLET = /[-*+–—·∙](?:[ \t\u00a0]+\[[ xX]\])?[ \t\u00a0]+|[•‣▪◦●○■□➢➤►▶✓✔✅][\ufe0f]?[ \t\u00a0]*/uy;
const NUMBERED = /\(?(\p{Nd}{1,3})(?:\)[ \t\u00a0]*|[.][ \t\u00a0]+|[.](?=\p{L}))/uy;
const LETTERED = /(?:\((?:\p{L}|[ivx]{1,4})\)|(?:\p{L}|[ivx]{1,4})\)|[a-z]\.(?![ \t\u00a0]*\p{Nd}))[ \t\u00a0]+/uy;
const HEADING = /#{1,6}[ \t\u00a0]+/uy;
const QUOTE = />[ \t\u00a0]*/uy;
const RULE = /^[-*_=|:+~][-*_=|:+~ \t\u00a0]*$/u;

/**
 * The marker at a place of a text where the words of a line begin: of a list (`-`, `•`, `1.`, `(2)`, `a)`), a heading
 * (`##`) or a quotation (`>`). null where the line begins with its words.
 *
 * @example lineMarker('2) Eat slowly', 0) // { kind: 'item', end: 3, number: 2 }
 */
export function lineMarker(text: string, at: number): LineMarker | null {
  const quote = endOf(QUOTE, text, at);
  if (quote !== null) return { kind: 'quote', end: quote, number: null };
  const heading = endOf(HEADING, text, at);
  if (heading !== null) return { kind: 'heading', end: heading, number: null };
  const plain = endOf(BULLET, text, at) ?? endOf(LETTERED, text, at);
  if (plain !== null) return { kind: 'item', end: plain, number: null };
  NUMBERED.lastIndex = at;
  const numbered = NUMBERED.exec(text);
  if (numbered === null) return null;
  return { kind: 'item', end: NUMBERED.lastIndex, number: digits(numbered[1] ?? '') };
}

/** Whether a line only divides: `---`, `***`, `|---|---|`. */
export function isRule(line: string): boolean {
  return RULE.test(line);
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Decimal digits of any script come in runs of ten that begin with its zero. */
function digits(text: string): number {
  let value = 0;
  for (const digit of text) {
    let zero = digit.codePointAt(0) ?? 0;
    const code = zero;
    while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero -= 1;
    value = value * 10 + (code - zero);
  }
  return value;
}
