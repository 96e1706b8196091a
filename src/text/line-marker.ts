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
  const quote = end(QUOTE, text, at);
  if (quote !== null) return { kind: 'quote', end: quote, number: null };
  const heading = end(HEADING, text, at);
  if (heading !== null) return { kind: 'heading', end: heading, number: null };
  const plain = end(BULLET, text, at) ?? end(LETTERED, text, at);
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

function end(pattern: RegExp, text: string, at: number): number | null {
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
