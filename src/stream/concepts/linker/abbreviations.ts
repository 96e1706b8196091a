import type { Token } from './tokens.ts';

const SHORTEST = 2;
const LONGEST = 10;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * What the abbreviations of a text mean, if the text defines them: "spinocerebellar ataxia (SCA)". After Schwartz and
 * Hearst, A simple algorithm for identifying abbreviation definitions in biomedical text (2003): from the right, every
 * character of the short form has to be found in the long one, in order, and its first at the beginning of a word. The
 * long form has at most as many words as min(n + 5, 2n) for n characters and is in one clause. Short forms are single
 * words of 2 to 10 characters that begin with a letter; the first long form of a short one counts.
 */
export function abbreviations(text: string, tokens: readonly Token[]): Map<string, string> {
  const longForms = new Map<string, string>();
  for (let at = 1; at + 2 < tokens.length; at += 1) {
    if (tokens[at]!.lower !== '(' || tokens[at + 2]!.lower !== ')') continue;
    const { start, end, isWord } = tokens[at + 1]!;
    const short = text.slice(start, end);
    if (!isWord || !isShortForm(short) || longForms.has(short)) continue;
    const long = longForm(text, tokens, at, short);
    if (long !== null) longForms.set(short, long);
  }
  return longForms;
}

function isShortForm(short: string): boolean {
  const letters = short.match(/\p{L}/gu)?.length ?? 0;
  return short.length >= SHORTEST && short.length <= LONGEST && /^\p{L}/u.test(short) && letters * 2 >= short.length;
}

/** The words before the bracket that the short form is made of. */
function longForm(text: string, tokens: readonly Token[], bracket: number, short: string): string | null {
  const mostWords = Math.min(short.length + 5, short.length * 2);
  let first = bracket;
  for (let words = 0; first > 0 && words < mostWords && !endsClause(tokens[first - 1]!, tokens[first]!); first -= 1)
    if (tokens[first - 1]!.isWord) words += 1;
  if (first === bracket) return null;
  const end = tokens[bracket - 1]!.end;
  const start = startOfLong(text, tokens[first]!.start, end, short);
  return start !== null && end - start > short.length ? text.slice(start, end) : null;
}

/** Where the long form begins that ends at `end`: the closest place that has all characters of the short form. */
function startOfLong(text: string, from: number, end: number, short: string): number | null {
  let before = end;
  for (let at = short.length - 1; at >= 0; at -= 1) {
    const wanted = short.charAt(at).toLowerCase();
    if (LETTER_OR_DIGIT.test(wanted)) before = lastPlace(text, from, before, wanted, at === 0);
    if (before < from) return null;
  }
  return before;
}

/** The last place before `before` that has the character, at the beginning of a word if `begins`; -1 for none. */
function lastPlace(text: string, from: number, before: number, wanted: string, begins: boolean): number {
  for (let at = before - 1; at >= from; at -= 1) {
    if (text.charAt(at).toLowerCase() !== wanted) continue;
    if (!begins || at === from || !LETTER_OR_DIGIT.test(text.charAt(at - 1))) return at;
  }
  return -1;
}

function endsClause(token: Token, next: Token): boolean {
  return next.gap === 'line' || ['.', ';', ':', '(', ')', '!', '?', '*'].includes(token.lower);
}
