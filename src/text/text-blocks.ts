import { skipSpace, skipSpaceBack } from './characters.ts';
import type { Span } from './span.ts';

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
    if (open !== null && line.kind === 'plain' && goesOn(open, line)) open.last = line;
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

function goesOn({ first, last }: Block, line: Line): boolean {
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
const LETTERED = /(?:\((?:\p{L}|[ivx]{1,4})\)|(?:\p{L}|[ivx]{1,4})\)|[a-z]\.(?![ \t\u00a0]*\p{Nd}))[ \t\u00a0]+/uy;
const MARKERS = [
  ['quote', />[ \t\u00a0]*/uy],
  ['heading', /#{1,6}[ \t\u00a0]+/uy],
  ...[BULLET, LETTERED, NUMBERED].map((pattern) => ['item', pattern] as const),
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
