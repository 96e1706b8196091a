import { HASH_START, isAlias, moreHash } from './alias-dictionary.ts';
import type { LinkerIndex } from './linker-index.ts';
import type { Token } from './tokens.ts';

/** Tokens from `first` to `last`, both included. */
export interface TokenRange {
  readonly first: number;
  readonly last: number;
}

/** Names of more tokens, signs included, are not looked for: "Diabetes mellitus, type 2" has five. */
const MOST_TOKENS = 16;

/**
 * Where a text has aliases of the knowledge base, word by word and regardless of case and white space: from left to
 * right the longest one, then on behind it. Words that name nothing, and numbers, are no match by themselves.
 */
export function aliasMatches(index: LinkerIndex, tokens: readonly Token[]): TokenRange[] {
  const found: TokenRange[] = [];
  for (let first = 0; first < tokens.length;) {
    const last = longestMatch(index, tokens, first);
    if (last !== null) found.push({ first, last });
    first = (last ?? first) + 1;
  }
  return found;
}

function longestMatch(index: LinkerIndex, tokens: readonly Token[], first: number): number | null {
  let longest: number | null = null;
  let compared = '';
  let hash = HASH_START;
  let names = false;
  for (let last = first; last < tokens.length && last < first + MOST_TOKENS; last += 1) {
    const { lower, gap, hasLetter, isFunction } = tokens[last]!;
    const more = last > first && gap !== 'none' ? ` ${lower}` : lower;
    compared += more;
    hash = moreHash(hash, more);
    names ||= hasLetter && !isFunction;
    if (names && isAlias(index.dictionary, index.aliases, compared, hash)) longest = last;
  }
  return longest;
}
