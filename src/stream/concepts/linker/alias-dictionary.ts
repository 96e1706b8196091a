import { comparedText, type Token, type TokenRange } from './tokens.ts';
import type { IndexArrays, LinkerIndex } from './linker-index.ts';
import { packedText, type PackedTexts } from './text-table.ts';

/** The start value of a hash; `moreHash` continues it, so that a longer and longer text is hashed once. */
const HASH_START = 0x811c9dc5;

function moreHash(hash: number, text: string): number {
  let more = hash;
  for (let at = 0; at < text.length; at += 1) more = Math.imul(more ^ text.charCodeAt(at), 0x01000193);
  return more;
}

/**
 * A hash table of aliases by their compared text: open addressing, at most half full. Of aliases that differ in case or
 * white space only, the first represents all. A slot holds an alias plus one, 0 is free, and there are a power of two of
 * them; a tag is eight more bits of the hash of what is in the slot, so that few texts are compared that differ.
 */
type AliasDictionary = Pick<IndexArrays, 'slots' | 'tags'>;

/** Enters the first `count` aliases. */
export function buildDictionary(aliases: PackedTexts, count: number): AliasDictionary {
  let size = 16;
  while (size < count * 2) size *= 2;
  const dictionary: AliasDictionary = { slots: new Uint32Array(size), tags: new Uint8Array(size) };
  for (let alias = 0; alias < count; alias += 1) {
    const compared = comparedText(packedText(aliases, alias));
    const hash = moreHash(HASH_START, compared);
    const slot = slotOf(dictionary, aliases, compared, hash);
    if (dictionary.slots[slot] !== 0) continue;
    dictionary.slots[slot] = alias + 1;
    dictionary.tags[slot] = tagOf(hash);
  }
  return dictionary;
}

/** The slot that has the text, or the free one where it belongs. */
function slotOf({ slots, tags }: AliasDictionary, aliases: PackedTexts, compared: string, hash: number): number {
  const mask = slots.length - 1;
  const tag = tagOf(hash);
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (let taken = slots[slot]!; taken !== 0; taken = slots[slot]!) {
    if (tags[slot] === tag && comparedText(packedText(aliases, taken - 1)) === compared) return slot;
    slot = (slot + 1) & mask;
  }
  return slot;
}

function tagOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> 24;
}

/** Names of more tokens, signs included, are not looked for: "Diabetes mellitus, type 2" has five. */
const MOST_TOKENS = 16;

/**
 * Aliases of the knowledge base in a text, word by word and regardless of case and white space: from left to
 * right the longest one, then on behind it. Words that name nothing, and numbers, are no match by themselves.
 */
export function aliasMatches(index: LinkerIndex, tokens: readonly Token[]): TokenRange[] {
  const matches: TokenRange[] = [];
  for (let first = 0; first < tokens.length;) {
    const last = longestMatch(index, tokens, first);
    if (last !== null) matches.push({ first, last });
    first = (last ?? first) + 1;
  }
  return matches;
}

function longestMatch({ arrays, aliases }: LinkerIndex, tokens: readonly Token[], first: number): number | null {
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
    if (names && arrays.slots[slotOf(arrays, aliases, compared, hash)] !== 0) longest = last;
  }
  return longest;
}
