import { comparedText } from './compared-text.ts';
import { packedText, type PackedTexts } from './text-table.ts';

/** Where a hash begins; `moreHash` goes on with it, so that a longer and longer text is hashed once. */
export const HASH_START = 0x811c9dc5;

export function moreHash(hash: number, text: string): number {
  let more = hash;
  for (let at = 0; at < text.length; at += 1) more = Math.imul(more ^ text.charCodeAt(at), 0x01000193);
  return more;
}

/**
 * A hash table of aliases by their compared text: open addressing, at most half full. Of aliases that differ in case or
 * white space only, the first stands for all.
 */
export interface AliasDictionary {
  /** An alias plus one; 0 is free. A power of two long. */
  readonly slots: Uint32Array;
  /** Eight more bits of the hash of what is in each slot: few texts have to be compared that are not the same. */
  readonly tags: Uint8Array;
}

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

/** Whether a compared text is an alias. `hash` is that of the text. */
export function isAlias(dictionary: AliasDictionary, aliases: PackedTexts, compared: string, hash: number): boolean {
  return dictionary.slots[slotOf(dictionary, aliases, compared, hash)] !== 0;
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
