import type { ItemKind } from '../../data/item.ts';
import { compareText } from '../../text/compare.ts';
import type { FoundGroup } from './found-groups.ts';

/** A share, or why there is none. */
export interface Share {
  readonly value: number | null;
  readonly undefined: string | null;
}

/** How steadily the items of one kind, or of one label of it, are found. */
export interface StabilityCounts {
  /** Different items that at least one run found. */
  readonly items: number;
  readonly inAllRuns: number;
  readonly share: Share;
}

export interface KindStability extends StabilityCounts {
  readonly kind: ItemKind;
  /** How many items were found by exactly one run, by two, and so on up to all. */
  readonly byRuns: readonly number[];
  readonly pairwise: Share;
  readonly labels: readonly (StabilityCounts & { readonly label: string })[];
}

/**
 * Stability of the items of a kind: share = items found in every run / items found in at least one. It falls with the
 * number of runs, so `pairwise` stands beside it: the mean over pairs of runs of 2 × items in both / (items of one +
 * items of the other), which does not. Both undefined when no run found anything. Higher is better.
 *
 * @example 26 objects, 21 of them in all three runs of 25, 23 and 24: share 21/26, pairwise the mean of three shares
 */
export function kindStability(kind: ItemKind, groups: readonly FoundGroup[], runs: number): KindStability {
  const own = groups.filter((group) => group.kind === kind);
  const byRuns = Array.from({ length: runs }, () => 0);
  for (const { items } of own) byRuns[items.filter((item) => item !== null).length - 1]! += 1;
  const byLabel = [...Map.groupBy(own, ({ label }) => label)].map(([label, some]) => ({ label, ...countsOf(some) }));
  return {
    kind,
    ...countsOf(own),
    byRuns,
    pairwise: pairwiseShare(own, runs),
    labels: byLabel.sort((a, b) => b.items - a.items || compareText(a.label, b.label)),
  };
}

function countsOf(groups: readonly FoundGroup[]): StabilityCounts {
  const inAllRuns = groups.filter(({ items }) => items.every((item) => item !== null)).length;
  return { items: groups.length, inAllRuns, share: shareOf(inAllRuns, groups.length, 'no run found anything') };
}

export function shareOf(part: number, whole: number, nothing: string): Share {
  return whole === 0 ? { value: null, undefined: nothing } : { value: part / whole, undefined: null };
}

function pairwiseShare(groups: readonly FoundGroup[], runs: number): Share {
  const shares: number[] = [];
  for (let a = 0; a < runs; a += 1) {
    for (let b = a + 1; b < runs; b += 1) {
      let both = 0;
      let total = 0;
      for (const { items } of groups) {
        const inBoth = items[a] !== null && items[b] !== null;
        if (inBoth) both += 1;
        total += (items[a] === null ? 0 : 1) + (items[b] === null ? 0 : 1);
      }
      if (total > 0) shares.push((2 * both) / total);
    }
  }
  // Sorted, so that the order of the runs does not show in the rounding.
  const sum = shares.toSorted((x, y) => x - y).reduce((added, share) => added + share, 0);
  return shareOf(sum, shares.length, 'no run found anything');
}
