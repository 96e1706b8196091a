import { splitsPair } from '../../text/characters.ts';
import { contentWords } from '../../text/words.ts';
import type { ProposedItem } from '../content.ts';
import type { Place } from '../place.ts';

export const NOWHERE: Place = { start: -1, end: -1 };
/** Nobody adds a row for each of more. */
const MOST_PLACES = 1000;

/** The place of words in a text, word for word: the first one from where they are expected on, or else the first. */
export function closestPlace(text: string, words: string, expected: Place | null): Place {
  const after = text.indexOf(words, expected?.start ?? 0);
  const start = after >= 0 ? after : text.indexOf(words);
  return words === '' || start < 0 ? NOWHERE : { start, end: start + words.length };
}

/** All places of words in a text, one after the other. */
export function placesIn(text: string, words: string): Place[] {
  const places: Place[] = [];
  let start = words === '' ? -1 : text.indexOf(words);
  while (start >= 0 && places.length < MOST_PLACES) {
    const end = start + words.length;
    const isWhole = !splitsPair(text, start) && !splitsPair(text, end);
    if (isWhole) places.push({ start, end });
    start = text.indexOf(words, isWhole ? end : start + 1);
  }
  return places;
}

/** A reworded part of a claim still has at least this share of its words from it. */
const SHARED = 0.5;
/** More of a text does not show better where it comes from. */
const MOST_WORDS = 200;
const WORDS = new WeakMap<ProposedItem, ReadonlySet<string>>();

/**
 * The claim that words were split from, if they are not in the text as they are: the one of the row above, or else
 * the first that shares most words with them. None if no claim has half of them: then they are from nowhere.
 */
export function originsByWords(
  text: string,
  above: readonly ProposedItem[],
  proposed: readonly ProposedItem[],
): ProposedItem[] {
  const words = [...new Set(contentWords(text).slice(0, MOST_WORDS))];
  const shareOf = (claims: readonly ProposedItem[]): number =>
    words.filter((word) => claims.some((claim) => wordsOf(claim).has(word))).length / Math.max(1, words.length);
  if (shareOf(above) >= SHARED) return [...above];
  let best: ProposedItem | null = null;
  let most = 0;
  for (const claim of proposed) {
    const share = shareOf([claim]);
    if (share > most) [best, most] = [claim, share];
  }
  return best === null || most < SHARED ? [] : [best];
}

/** The words of a claim are asked for by every new row. */
function wordsOf(claim: ProposedItem): ReadonlySet<string> {
  const words = WORDS.get(claim) ?? new Set(contentWords(claim.text));
  WORDS.set(claim, words);
  return words;
}
