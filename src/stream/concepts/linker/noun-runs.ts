import type { Token, TokenRange } from './tokens.ts';

/** A name of more characters is not looked up unless the knowledge base has it letter by letter. */
const MOST_CHARACTERS = 200;

/**
 * Pieces of a text that may be names though no alias is letter by letter like them. There is no tagger here, so it is
 * done by what is not a name: a run is words that name something, with nothing but white space of one line between
 * them; words joined by a hyphen are one. The pieces are all stretches of 1 to `maxWords` words of a run that begin with
 * a word that has a letter. A stretch that cuts through one of the ranges `kept` is none, nor is one inside of it.
 */
export function nounRuns(tokens: readonly Token[], kept: readonly TokenRange[], maxWords: number): TokenRange[] {
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
