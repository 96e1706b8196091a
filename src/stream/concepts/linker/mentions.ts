import { codePointLength } from '../../../plugin.ts';
import { aliasMatches } from './alias-dictionary.ts';
import type { LinkerIndex } from './linker-index.ts';
import { type Token, type TokenRange, tokensOf } from './tokens.ts';

/** A piece of a text that may mean a concept. */
export interface Mention {
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly surface: string;
  /** What is looked up: the surface, or the long form of an abbreviation. */
  readonly text: string;
  /** Why it is one: an alias letter by letter, words that may be a name, or an abbreviation that the text explains. */
  readonly by: 'alias' | 'words' | 'abbreviation';
}

export interface MentionSettings {
  /** Shorter surfaces, in characters, are not mentions. */
  readonly minEntityLength: number;
  /** How many words a name may have that is not an alias letter by letter. */
  readonly maxWords: number;
  /** Whether an abbreviation that the text explains is looked up by its long form. */
  readonly resolveAbbreviations: boolean;
}

/** The mentions of a text in the order of their places, longer ones first if they begin together. */
export function mentions(
  text: string,
  index: LinkerIndex,
  { minEntityLength, maxWords, resolveAbbreviations }: MentionSettings,
): Mention[] {
  const tokens = tokensOf(text);
  const long = resolveAbbreviations ? abbreviations(text, tokens) : new Map<string, string>();
  const isShort = (at: number): boolean => long.has(text.slice(tokens[at]!.start, tokens[at]!.end));
  const aliases = aliasMatches(index, tokens).filter(({ first, last }) => first !== last || !isShort(first));
  const taken = new Set<number>();
  for (const { first, last } of aliases) for (let at = first; at <= last; at += 1) taken.add(at);
  // Abbreviations that are not part of a longer alias.
  const shorts =
    long.size === 0 ? [] : tokens.flatMap((_, at) => (!taken.has(at) && isShort(at) ? [{ first: at, last: at }] : []));
  const all: Mention[] = [];
  const add = (by: Mention['by'], ranges: readonly TokenRange[]): void => {
    for (const { first, last } of ranges) {
      const [start, end] = [tokens[first]!.start, tokens[last]!.end];
      const surface = text.slice(start, end);
      if (codePointLength(surface) < minEntityLength) continue;
      all.push({ start, end, surface, text: by === 'abbreviation' ? long.get(surface)! : surface, by });
    }
  };
  add('alias', aliases);
  add('abbreviation', shorts);
  add('words', nounRuns(tokens, [...aliases, ...shorts], maxWords));
  return all.sort((a, b) => a.start - b.start || b.end - a.end);
}

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

/** A name of more characters is not looked up unless the knowledge base has it letter by letter. */
const MOST_CHARACTERS = 200;

/**
 * Pieces of a text that may be names though no alias is letter by letter like them. There is no tagger here, so it is
 * done by what is not a name: a run is words that name something, with nothing but white space of one line between
 * them; words joined by a hyphen are one. The pieces are all stretches of 1 to `maxWords` words of a run that begin with
 * a word that has a letter. A stretch that cuts through one of the ranges `kept` is none, nor is one inside of it.
 */
function nounRuns(tokens: readonly Token[], kept: readonly TokenRange[], maxWords: number): TokenRange[] {
  const cover = coverOf(tokens.length, kept);
  const found: TokenRange[] = [];
  for (const run of runsOf(tokens)) {
    for (let from = 0; from < run.length; from += 1) {
      const { first } = run[from]!;
      if (!hasLetter(tokens, run[from]!)) continue;
      for (let to = from; to < Math.min(run.length, from + maxWords); to += 1) {
        const { last } = run[to]!;
        if (tokens[last]!.end - tokens[first]!.start > MOST_CHARACTERS) break;
        if (!isCut(cover, first, last)) found.push({ first, last });
      }
    }
  }
  return found;
}

function hasLetter(tokens: readonly Token[], { first, last }: TokenRange): boolean {
  for (let at = first; at <= last; at += 1) if (tokens[at]!.hasLetter) return true;
  return false;
}

/** By token: the range it belongs to, if any. */
function coverOf(length: number, kept: readonly TokenRange[]): (TokenRange | undefined)[] {
  const cover = Array.from<TokenRange | undefined>({ length });
  for (const range of kept) for (let at = range.first; at <= range.last; at += 1) cover[at] = range;
  return cover;
}

/** Whether the stretch begins or ends inside a range that it does not hold as a whole, or holds nothing besides it. */
function isCut(cover: readonly (TokenRange | undefined)[], first: number, last: number): boolean {
  const [left, right] = [cover[first], cover[last]];
  if (left !== undefined && left === right) return true;
  return (left !== undefined && left.first < first) || (right !== undefined && right.last > last);
}

/** Runs of words; a word is its tokens, more than one where hyphens join them. */
function runsOf(tokens: readonly Token[]): TokenRange[][] {
  const runs: TokenRange[][] = [];
  let run: TokenRange[] = [];
  const end = (): void => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  for (let first = 0; first < tokens.length;) {
    const token = tokens[first]!;
    if (!token.isWord) {
      end();
      first += 1;
      continue;
    }
    const last = wordEnd(tokens, first);
    if (token.gap !== 'space') end();
    if (last === first && token.isFunction) end();
    else run.push({ first, last });
    first = last + 1;
  }
  end();
  return runs;
}

function wordEnd(tokens: readonly Token[], first: number): number {
  let last = first;
  for (;;) {
    const [hyphen, next] = [tokens[last + 1], tokens[last + 2]];
    if (hyphen === undefined || next === undefined) return last;
    if (!isHyphen(hyphen.lower) || hyphen.gap !== 'none' || next.gap !== 'none' || !next.isWord) return last;
    last += 2;
  }
}

function isHyphen(sign: string): boolean {
  return sign === '-' || sign === '\u2010' || sign === '\u2011';
}
