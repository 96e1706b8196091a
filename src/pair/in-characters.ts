import type { Item } from '../data/item.ts';
import { hasSurrogates } from '../text/characters.ts';
import { offsetMap } from '../text/offsets.ts';

/** From UTF-16 to characters, for the text that was asked for last: the schemes of a case ask for the same one. */
let last: { readonly text: string; readonly toCharacters: ((index: number) => number) | null } = {
  text: '',
  toCharacters: null,
};

/**
 * The same spans with places that count characters instead of UTF-16 units, so that an emoji is one character in an
 * overlap and in a tolerance; the very list where the text is not known or has only characters of one unit.
 */
export function inCharacters(items: readonly Item[], text: string | null): readonly Item[] {
  if (text === null) return items;
  if (text !== last.text)
    last = { text, toCharacters: hasSurrogates(text) ? offsetMap(text, 'codepoint').fromUtf16 : null };
  const { toCharacters } = last;
  if (toCharacters === null) return items;
  const at = (index: number): number => {
    const found = toCharacters(index);
    // Between the halves of a pair: that is where their character begins.
    return found >= 0 ? found : toCharacters(index - 1);
  };
  return items.map((item) => (item.start < 0 ? item : { ...item, start: at(item.start), end: at(item.end) }));
}
