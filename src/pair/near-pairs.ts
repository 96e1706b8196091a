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
  const openGold: number[] = [];
  const openPredicted: number[] = [];
  let g = firstPlaced(gold, goldOrder);
  let p = firstPlaced(predicted, predictedOrder);
  // Touching ends have no character in common, yet with a reach they are near.
  const least = reach === 0 ? 1 : -reach;
  while (g < goldOrder.length || p < predictedOrder.length) {
    const goldAt = goldOrder[g] ?? -1;
    const predictedAt = predictedOrder[p] ?? -1;
    const goldIsNext = predictedAt === -1 || (goldAt !== -1 && gold[goldAt]!.start <= predicted[predictedAt]!.start);
    if (goldIsNext) {
      g += 1;
      meet(gold[goldAt]!.start + least, predicted, openPredicted);
      for (let at = 0; at < openPredicted.length; at += 1) {
        outGold.push(goldAt);
        outPredicted.push(openPredicted[at]!);
      }
      openGold.push(goldAt);
    } else {
      p += 1;
      meet(predicted[predictedAt]!.start + least, gold, openGold);
      for (let at = 0; at < openGold.length; at += 1) {
        outGold.push(openGold[at]!);
        outPredicted.push(predictedAt);
      }
      openPredicted.push(predictedAt);
    }
  }
  return { gold: outGold, predicted: outPredicted };
}

/** Leaves of the open spans those that end at `leastEnd` or later. */
function meet(leastEnd: number, items: readonly Item[], open: number[]): void {
  let kept = 0;
  for (let at = 0; at < open.length; at += 1) {
    const own = open[at]!;
    if (items[own]!.end < leastEnd) continue;
    open[kept] = own;
    kept += 1;
  }
  if (kept < open.length) open.length = kept;
}

function textOrder(items: readonly Item[]): number[] {
  const order: number[] = [];
  let sorted = true;
  let last = -1;
  for (let at = 0; at < items.length; at += 1) {
    const { start } = items[at]!;
    if (start < last) sorted = false;
    last = start;
    order.push(at);
  }
  return sorted ? order : order.sort((a, b) => items[a]!.start - items[b]!.start || a - b);
}

/** Items without a place come first in text order, and are near nothing. */
function firstPlaced(items: readonly Item[], order: readonly number[]): number {
  let at = 0;
  while (at < order.length && items[order[at]!]!.start < 0) at += 1;
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
