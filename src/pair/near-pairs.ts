import type { Item } from '../data/item.ts';

/** Positions of gold and predicted items that touch or come within reach, as two equally long lists. */
export interface NearPairs {
  readonly gold: readonly number[];
  readonly predicted: readonly number[];
}

/**
 * All pairs of spans that overlap, or whose gap is at most `reach`, by one sweep over both lists in text order.
 * Cost grows with the pairs found (and with spans open at once), not with the product of the lists.
 */
export function nearSpans(gold: readonly Item[], predicted: readonly Item[], reach: number): NearPairs {
  const outGold: number[] = [];
  const outPredicted: number[] = [];
  const goldOrder = textOrder(gold);
  const predictedOrder = textOrder(predicted);
  let open: number[] = [];
  let next = 0;
  for (const p of predictedOrder) {
    const span = predicted[p] as Item;
    if (span.start < 0) continue;
    const latest = span.end + reach;
    while (next < goldOrder.length) {
      const g = goldOrder[next] as number;
      const start = (gold[g] as Item).start;
      if (start > latest || (reach === 0 && start === latest)) break;
      if (start >= 0) open.push(g);
      next += 1;
    }
    const earliest = span.start - reach;
    let kept = 0;
    for (let at = 0; at < open.length; at += 1) {
      const g = open[at] as number;
      const other = gold[g] as Item;
      // Later predictions start no earlier, so a gold span that ended before this one is done with.
      if (reach === 0 ? other.end <= earliest : other.end < earliest) continue;
      open[kept] = g;
      kept += 1;
      if (reach === 0 ? other.start < latest : other.start <= latest) {
        outGold.push(g);
        outPredicted.push(p);
      }
    }
    if (kept < open.length) open = open.slice(0, kept);
  }
  return { gold: outGold, predicted: outPredicted };
}

function textOrder(items: readonly Item[]): number[] {
  const order: number[] = [];
  let sorted = true;
  let last = -1;
  for (let at = 0; at < items.length; at += 1) {
    const start = (items[at] as Item).start;
    if (start < last) sorted = false;
    last = start;
    order.push(at);
  }
  return sorted ? order : order.sort((a, b) => (items[a] as Item).start - (items[b] as Item).start || a - b);
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
