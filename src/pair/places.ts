import type { EndPlace, Item, Side } from '../data/item.ts';
import { hasSurrogates } from '../text/characters.ts';
import { compareText } from '../text/compare.ts';
import { offsetMap } from '../text/offsets.ts';
import { areNear, byPieces, movedPlace } from '../text/pieces.ts';

/** Items in an order that depends on what they are and not on where they stood; equal ones are interchangeable. */
export function contentOrder(items: readonly Item[]): readonly Item[] {
  // Mostly the list is in text order already, and this is all that is done.
  const isOrdered = items.every((item, at) => at === 0 || byContent(items[at - 1]!, item) <= 0);
  return isOrdered ? items : items.toSorted(byContent);
}

function byContent(a: Item, b: Item): number {
  return (
    byPieces(a, b) ||
    compareText(a.label, b.label) ||
    compareText(a.text, b.text) ||
    compareText(a.refused?.because ?? '', b.refused?.because ?? '') ||
    (a.fields === b.fields ? 0 : compareText(JSON.stringify(a.fields), JSON.stringify(b.fields)))
  );
}

/** From UTF-16 to characters, for the text that was asked for last: the schemes of a case ask for the same one. */
let last: readonly [text: string, toCharacters: ((index: number) => number) | null] = ['', null];

/**
 * The same spans with places that count characters instead of UTF-16 units, so that an emoji is one character in an
 * overlap and in a tolerance; the very list where the text is not known or has only characters of one unit.
 */
export function inCharacters(items: readonly Item[], text: string | null): readonly Item[] {
  if (text === null) return items;
  if (text !== last[0]) last = [text, hasSurrogates(text) ? offsetMap(text, 'codepoint').fromUtf16 : null];
  const [, toCharacters] = last;
  if (toCharacters === null) return items;
  const at = (index: number): number => {
    const found = toCharacters(index);
    // Between the halves of a pair: that is where their character begins.
    return found >= 0 ? found : toCharacters(index - 1);
  };
  const moved = (end: EndPlace | null): EndPlace | null => end && movedPlace(end, at);
  return items.map((item) => {
    if (item.start >= 0) return movedPlace(item, at);
    if (item.ends === undefined) return item;
    const { source, target } = item.ends;
    return { ...item, ends: { source: moved(source), target: moved(target) } };
  });
}

/** Positions of gold and predicted items that touch or come within reach, as two equally long lists. */
export interface NearPairs {
  readonly gold: readonly number[];
  readonly predicted: readonly number[];
}

/**
 * All pairs of spans that overlap, or whose gap is at most `reach`, by one sweep over both lists in text order.
 * Each span meets those of the other side that began no later and have not ended: it pairs with them or they are done
 * with, so that the cost grows with the spans and the pairs found, not with the product of the lists. A span in pieces
 * is open from its first to its last, and pairs by the pieces alone.
 */
export function nearSpans(gold: readonly Item[], predicted: readonly Item[], reach: number): NearPairs {
  const [golds, predicteds] = [sweepOf(gold), sweepOf(predicted)];
  // Touching ends have no character in common, yet with a reach they are near.
  const least = reach === 0 ? 1 : -reach;
  for (;;) {
    const [goldStart, predictedStart] = [nextStart(golds), nextStart(predicteds)];
    if (goldStart === Infinity && predictedStart === Infinity) break;
    if (goldStart <= predictedStart) meet(golds, predicteds, goldStart + least, reach);
    else meet(predicteds, golds, predictedStart + least, reach);
  }
  return { gold: golds.near, predicted: predicteds.near };
}

/** One of the lists while both are gone through in text order. */
type Sweep = ReturnType<typeof sweepOf>;

function sweepOf(items: readonly Item[]) {
  /** Positions by start, without the items that have no place. */
  const order: number[] = [];
  for (let at = 0; at < items.length; at += 1) if (items[at]!.start >= 0) order.push(at);
  order.sort((a, b) => items[a]!.start - items[b]!.start);
  // Open are the spans that have begun and may not have ended; the count saves making the list shorter.
  return { items, order, next: 0, open: [] as number[], openCount: 0, near: [] as number[] };
}

function nextStart({ items, order, next }: Sweep): number {
  return next < order.length ? items[order[next]!]!.start : Infinity;
}

/** Pairs the next span of a list with those of the other that end no earlier than `least`. */
function meet(own: Sweep, other: Sweep, least: number, reach: number): void {
  const position = own.order[own.next]!;
  const item = own.items[position]!;
  let kept = 0;
  for (let at = 0; at < other.openCount; at += 1) {
    const open = other.open[at]!;
    const met = other.items[open]!;
    if (met.end < least) continue;
    other.open[kept] = open;
    kept += 1;
    const isInPieces = item.fragments !== undefined || met.fragments !== undefined;
    if (isInPieces && !areNear(item, met, reach)) continue;
    own.near.push(position);
    other.near.push(open);
  }
  other.openCount = kept;
  own.open[own.openCount] = position;
  own.openCount += 1;
  own.next += 1;
}

/** Every pair of the two lists: for items that have no place in the text. */
export function allPairs(goldCount: number, predictedCount: number): NearPairs {
  const pairs: Record<Side, number[]> = { gold: [], predicted: [] };
  for (let g = 0; g < goldCount; g += 1)
    for (let p = 0; p < predictedCount; p += 1) {
      pairs.gold.push(g);
      pairs.predicted.push(p);
    }
  return pairs;
}
