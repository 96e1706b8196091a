import type { ItemKind } from '../../data/item.ts';
import type { VerdictKind } from '../../judge/verdict.ts';
import { everyTwo } from '../../stats/aligned-lists.ts';
import { compareText } from '../../text/compare.ts';
import type { FoundGroup } from './found-groups.ts';
import { type Likeness, likenessOf, type NearMiss } from './likeness.ts';
import type { RepeatedQuestion } from './repeated-run.ts';

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
  const shares = everyTwo(runs).flatMap(([a, b]) => {
    const [one, other] = [
      groups.filter(({ items }) => items[a] !== null),
      groups.filter(({ items }) => items[b] !== null),
    ];
    const both = one.filter(({ items }) => items[b] !== null).length;
    const total = one.length + other.length;
    return total === 0 ? [] : [(2 * both) / total];
  });
  // Sorted, so that the order of the runs does not show in the rounding.
  const sum = shares.toSorted((x, y) => x - y).reduce((added, share) => added + share, 0);
  return shareOf(sum, shares.length, 'no run found anything');
}

/** An item that some runs found and others did not. */
export interface ComingAndGoing {
  readonly case: string;
  readonly kind: string;
  readonly label: string;
  readonly text: string;
  /** By run: what became of it, or `found` where there is no gold; null where the run does not have it. */
  readonly runs: readonly (VerdictKind | 'found' | null)[];
  /** By run: its text; null where the run does not have it. */
  readonly texts: readonly (string | null)[];
  /** In the unit of the files, of the first run that has it; null where the item has no place. */
  readonly place: { readonly start: number; readonly end: number } | null;
  /** What runs that lack it found instead and the recipe does not take for the same; null where nothing comes near. */
  readonly near: (NearMiss & { readonly label: string; readonly text: string }) | null;
}

/** The items that come and go, each with what the other runs may have found in its stead. */
export function comingAndGoing(question: RepeatedQuestion, groups: readonly FoundGroup[]): ComingAndGoing[] {
  const likeness = new Map([...question.pair].map(([kind, settings]) => [kind, likenessOf(kind, settings)]));
  const wavering = groups.filter(({ items }) => items.includes(null));
  const byCase = Map.groupBy(wavering, ({ case: id, kind }) => JSON.stringify([id, kind]));
  return wavering.map((group) => {
    const rivals = byCase.get(JSON.stringify([group.case, group.kind])) ?? [];
    const misses = rivals.flatMap((other) => {
      if (other === group || !areApart(group, other)) return [];
      const miss = nearest(group, other, likeness.get(group.kind)!);
      return miss === null ? [] : [{ ...miss, label: other.label, text: other.text }];
    });
    const first = group.items.find((item) => item !== null)!;
    return {
      case: group.case,
      kind: group.kind,
      label: group.label,
      text: group.text,
      runs: group.verdicts.map((verdict) => (verdict === null || question.hasGold ? verdict : 'found')),
      texts: group.items.map((item) => item?.text ?? null),
      place: first.start < 0 ? null : { start: first.start, end: first.end },
      near: misses.sort((a, b) => b.similarity - a.similarity)[0] ?? null,
    };
  });
}

/** No run has both: they may be one thing that was found in two ways. */
function areApart(a: FoundGroup, b: FoundGroup): boolean {
  return a.items.every((item, run) => item === null || b.items[run] === null);
}

function nearest(a: FoundGroup, b: FoundGroup, likeness: Likeness): NearMiss | null {
  let best: NearMiss | null = null;
  for (const one of a.items) {
    for (const other of b.items) {
      if (one === null || other === null) continue;
      const miss = likeness.nearMiss(one, other);
      if (miss !== null && (best === null || miss.similarity > best.similarity)) best = miss;
    }
  }
  return best;
}
