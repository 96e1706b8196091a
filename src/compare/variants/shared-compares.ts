import type { Item } from '../../data/item.ts';
import { type Criterion, type Threshold, thresholdFor } from '../../pair/criterion.ts';
import { type Compare, compareFor } from '../../pair/similarity.ts';
import { PairMemo } from './pair-memo.ts';

/** Similarities that cost more than looking them up. */
const WORTH_KEEPING = new Set(['jaccard', 'levenshtein']);

/** A gold file of invented labels must not fill the memory. */
const MOST_LABELS_KEPT = 10_000;

interface SharedCompares {
  readonly compareOf: (criterion: Criterion) => Compare;
  readonly clear: () => void;
}

/**
 * One comparing function for all criteria that compare alike, whatever their thresholds. Below the threshold it is asked
 * with, a similarity may be any value below it: so each pair is compared with the lowest that any of them asks with.
 */
export function sharedCompares(criteria: readonly Criterion[], numberOf: (own: object) => number): SharedCompares {
  const thresholds = new Map<string, Threshold[]>();
  const keyOf = ({ own, similarity, tolerance, words, normalise }: Criterion): string =>
    JSON.stringify(own === null ? [similarity, tolerance, words, normalise] : [numberOf(own), similarity]);
  for (const criterion of criteria) {
    const key = keyOf(criterion);
    const known = thresholds.get(key);
    if (known === undefined) thresholds.set(key, [criterion.threshold]);
    else known.push(criterion.threshold);
  }
  const made = new Map<string, Compare>();
  const memos: PairMemo<number>[] = [];
  return {
    compareOf: (criterion) => {
      const key = keyOf(criterion);
      let compare = made.get(key);
      if (compare === undefined) {
        const plain = compareFor(criterion);
        const asking = thresholds.get(key) ?? [];
        const isWorthKeeping = criterion.own !== null || WORTH_KEEPING.has(criterion.similarity);
        if (!isWorthKeeping || asking.length < 2) compare = plain;
        else {
          const memo = new PairMemo<number>();
          memos.push(memo);
          compare = keptCompare(plain, memo, lowestOf(asking));
        }
        made.set(key, compare);
      }
      return compare;
    },
    clear: () => {
      for (const memo of memos) memo.clear();
    },
  };
}

function keptCompare(plain: Compare, memo: PairMemo<number>, lowest: (label: string) => number): Compare {
  return (gold: Item, predicted: Item) => memo.of(gold, predicted, () => plain(gold, predicted, lowest(gold.label)));
}

/** The lowest threshold for a label. */
function lowestOf(thresholds: readonly Threshold[]): (label: string) => number {
  const known = new Map<string, number>();
  return (label) => {
    let lowest = known.get(label);
    if (lowest === undefined) {
      lowest = thresholds.reduce<number>((least, own) => Math.min(least, thresholdFor(own, label)), Infinity);
      if (known.size < MOST_LABELS_KEPT) known.set(label, lowest);
    }
    return lowest;
  };
}
