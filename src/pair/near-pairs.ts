import type { Item } from '../data/item.ts';

/** Positions of gold and predicted items that touch or come within reach, as two equally long lists. */
export interface NearPairs {
  readonly gold: readonly number[];
  readonly predicted: readonly number[];
}

/**
 * All pairs of spans that overlap, or whose gap is at most `reach`, by one sweep over both lists in text order.
 * Each span meets those of the other side that began no later and have not ended: it pairs with them or they are done
 * with, so that the cost grows with the spans and the pairs found, not with the product of the lists.
 */
export function nearSpans(gold: readonly Item[], predicted: readonly Item[], reach: number): NearPairs {
  const outGold: number[] = [];
  const outPredicted: number[] = [];
  const goldOrder = textOrder(gold);
  const predictedOrder = textOrder(predicted);
  // Positions of the spans that have begun and may not have ended; the counts save making the lists shorter.
  const openGold: number[] = [];
  const openPredicted: number[] = [];
  let goldCount = 0;
  let predictedCount = 0;
  // Touching ends have no character in common, yet with a reach they are near.
  const least = reach === 0 ? 1 : -reach;
  let g = firstPlaced(gold, goldOrder);
  let p = firstPlaced(predicted, predictedOrder);
  while (g < gold.length || p < predicted.length) {
    const ownGold = goldOrder === null ? g : goldOrder[g]!;
    const ownPredicted = predictedOrder === null ? p : predictedOrder[p]!;
    const goldStart = g < gold.length ? gold[ownGold]!.start : Infinity;
    const predictedStart = p < predicted.length ? predicted[ownPredicted]!.start : Infinity;
    let kept = 0;
    if (goldStart <= predictedStart) {
      for (let at = 0; at < predictedCount; at += 1) {
        const other = openPredicted[at]!;
        if (predicted[other]!.end < goldStart + least) continue;
        openPredicted[kept] = other;
        kept += 1;
        outGold.push(ownGold);
        outPredicted.push(other);
      }
      predictedCount = kept;
      openGold[goldCount] = ownGold;
      goldCount += 1;
      g += 1;
    } else {
      for (let at = 0; at < goldCount; at += 1) {
        const other = openGold[at]!;
        if (gold[other]!.end < predictedStart + least) continue;
        openGold[kept] = other;
        kept += 1;
        outGold.push(other);
        outPredicted.push(ownPredicted);
      }
      goldCount = kept;
      openPredicted[predictedCount] = ownPredicted;
      predictedCount += 1;
      p += 1;
    }
  }
  return { gold: outGold, predicted: outPredicted };
}

/** Positions by start; null where the list is in text order already, as it mostly is. */
function textOrder(items: readonly Item[]): readonly number[] | null {
  for (let at = 1; at < items.length; at += 1) {
    if (items[at]!.start < items[at - 1]!.start)
      return [...items.keys()].sort((a, b) => items[a]!.start - items[b]!.start || a - b);
  }
  return null;
}

/** Items without a place come first in text order, and are near nothing. */
function firstPlaced(items: readonly Item[], order: readonly number[] | null): number {
  let at = 0;
  while (at < items.length && items[order === null ? at : order[at]!]!.start < 0) at += 1;
  return at;
}

/** Every pair of the two lists: for items that have no place in the text. */
export function allPairs(goldCount: number, predictedCount: number): NearPairs {
  const outGold: number[] = [];
  const outPredicted: number[] = [];
  for (let g = 0; g < goldCount; g += 1) {
    for (let p = 0; p < predictedCount; p += 1) {
      outGold.push(g);
      outPredicted.push(p);
    }
  }
  return { gold: outGold, predicted: outPredicted };
}
