import type { Item, ItemKind } from '../../data/item.ts';
import type { Verdict, VerdictKind } from '../../judge/verdict.ts';
import { type Criterion, passesGate, thresholdFor } from '../../pair/criterion.ts';
import { endsComparer } from '../../pair/relation.ts';
import { compareFor } from '../../pair/similarity.ts';
import type { Plan } from '../../recipe/plan.ts';
import { everyTwo } from '../../stats/aligned-lists.ts';
import { compareText } from '../../text/compare.ts';
import { short, shortUnder } from '../../text/figures.ts';
import { type SharedItemGroup, numbered } from './item-groups.ts';
import type { RepeatedRun } from './read-runs.ts';

/** A share, or why it is undefined. */
export type Share = ReturnType<typeof shareOf>;
export type KindStability = ReturnType<typeof kindStability>;

/**
 * Stability of the items of a kind: share = items found in every run / items found in at least one. It falls with the
 * number of runs, so `pairwise` stands beside it: the mean over pairs of runs of 2 × items in both / (items of one +
 * items of the other), which does not. Both undefined when no run found anything. Higher is better.
 *
 * @example 26 objects, 21 of them in all three runs of 25, 23 and 24: share 21/26, pairwise the mean of three shares
 */
export function kindStability(kind: ItemKind, groups: readonly SharedItemGroup[], runs: number) {
  const own = groups.filter((group) => group.kind === kind);
  const runsWith = own.map(({ items }) => items.filter((item) => item !== null).length);
  const byLabel = [...Map.groupBy(own, ({ label }) => label)].map(([label, some]) => ({ label, ...countsOf(some) }));
  return {
    kind,
    ...countsOf(own),
    /** How many items were found by exactly one run, by two, and so on up to all. */
    byRuns: Array.from({ length: runs }, (_, at) => runsWith.filter((n) => n === at + 1).length),
    pairwise: pairwiseShare(own, runs),
    labels: byLabel.sort((a, b) => b.items - a.items || compareText(a.label, b.label)),
  };
}

/** How steadily the items of one kind, or of one label of it, are found by at least one run. */
function countsOf(groups: readonly SharedItemGroup[]) {
  const inAllRuns = groups.filter(({ items }) => !items.includes(null)).length;
  return { items: groups.length, inAllRuns, share: shareOf(inAllRuns, groups.length, 'no run found anything') };
}

export function shareOf(part: number, whole: number, nothing: string) {
  return { value: whole === 0 ? null : part / whole, undefined: whole === 0 ? nothing : null };
}

function pairwiseShare(groups: readonly SharedItemGroup[], runs: number): Share {
  const shares = everyTwo(runs).flatMap(([a, b]) => {
    const found = groups.map(({ items }) => Number(items[a] !== null) + Number(items[b] !== null));
    const total = found.reduce((sum, n) => sum + n, 0);
    return total === 0 ? [] : [(2 * found.filter((n) => n === 2).length) / total];
  });
  // Sorted, so that the order of the runs does not show in the rounding.
  const sum = shares.toSorted((x, y) => x - y).reduce((added, share) => added + share, 0);
  return shareOf(sum, shares.length, 'no run found anything');
}

/** An item that some runs found and others did not. */
export type ComingAndGoing = ReturnType<typeof comingAndGoing>[number];

/** The items that come and go, each with what the other runs may have found in its stead. */
export function comingAndGoing(plan: Plan, hasGold: boolean, groups: readonly SharedItemGroup[]) {
  const wavering = groups.filter(({ items }) => items.includes(null));
  const byCase = Map.groupBy(wavering, ({ case: id }) => id);
  const nearMisses = new Map<ItemKind, NearMiss>(
    plan.schemes[0]!.pair.entries().map(([kind, { accept }]) => [kind, nearMissOf(accept)]),
  );
  return wavering.map(({ items, verdicts, ...thing }) => {
    // No run has both: they may be one thing that was found in two ways.
    const rivals = byCase
      .get(thing.case)!
      .filter(
        (other) => other.kind === thing.kind && items.every((item, run) => item === null || other.items[run] === null),
      );
    const misses = rivals.flatMap(({ items: others, label, text }) =>
      items.flatMap((item) =>
        others.flatMap((other) => {
          const miss = item === null || other === null ? null : nearMisses.get(thing.kind)!(item, other);
          return miss === null ? [] : [{ ...miss, label, text }];
        }),
      ),
    );
    const { start, end } = items.find((item) => item !== null)!;
    return {
      ...thing,
      /** By run: what became of it, or `found` where there is no gold; null where the run does not have it. */
      runs: verdicts.map((verdict) => (verdict === null || hasGold ? verdict : ('found' as const))),
      /** By run: its text; null where the run does not have it. */
      texts: items.map((item) => item?.text ?? null),
      /** In the unit of the files, of the first run that has it; null where the item has no place. */
      place: start < 0 ? null : { start, end },
      /** What runs that lack it found instead and the recipe does not take for the same; null where nothing comes near. */
      near: misses.sort((a, b) => b.similarity - a.similarity)[0] ?? null,
    };
  });
}

/** Why two that are not alike are not, where they come near; null where they do not. */
type NearMiss = (a: Item, b: Item) => { readonly similarity: number; readonly why: string } | null;

/** A similarity that is at least this share of the threshold is worth a word. */
const NEAR = 0.5;

/** The last of the criteria speaks for all: it is the widest. */
function nearMissOf(accept: readonly Criterion[]): NearMiss {
  const { gate, threshold } = accept.at(-1)!;
  if (accept.some(({ similarity, own }) => similarity === 'relation' && own === null)) {
    const ends = endsComparer(accept.at(-1)!);
    return (a, b) => {
      const found = [false, true]
        .map((swapped) => ends(a, b, swapped))
        .find(({ least }) => least >= thresholdFor(threshold, a.label));
      if (found === undefined) return null;
      const why = a.label === b.label ? 'the ends are swapped' : `type differs: ${labelsOf(a, b)}`;
      return { similarity: found.similarity, why };
    };
  }
  const compare = compareFor(accept.at(-1)!);
  return (a, b) => {
    const similarity = Math.max(compare(a, b, 0), compare(b, a, 0));
    const least = Math.min(thresholdFor(threshold, a.label), thresholdFor(threshold, b.label));
    const differing = gate.find((field) => !passesGate([field], a, b));
    if (similarity === 0 || similarity < (differing === undefined ? NEAR : 1) * least) return null;
    if (differing === undefined)
      return { similarity, why: `similarity ${shortUnder(similarity, least)} is under ${short(least)}` };
    return { similarity, why: `${differing} differs${differing === 'label' ? `: ${labelsOf(a, b)}` : ''}` };
  };
}

function labelsOf(...both: readonly Item[]): string {
  return both
    .map(({ label }) => label)
    .toSorted()
    .join(' and ');
}

/** How often a gold item is found. `excused`: never, and no run is blamed for it. */
type Finding = 'always' | 'sometimes' | 'never' | 'excused';

export type GoldItem = ReturnType<typeof findGold>['items'][number];

/** Which gold items every run finds, which only some runs find, and which none does. */
export function findGold(runs: readonly RepeatedRun[], cases: readonly string[]) {
  const gold = cases.flatMap((id) => {
    const found = runs.flatMap((run) => goldOf(run.cases.get(id)!.verdicts));
    return [...Map.groupBy(found, ({ same }) => same).values()];
  });
  const inEveryRun = gold.filter((verdicts) => verdicts.length === runs.length);
  const items = inEveryRun.map((verdicts) => {
    const { case: id, kind, gold: item } = verdicts[0]!;
    const outcomes = verdicts.map(({ verdict }) => verdict);
    return { case: id, kind, label: item.label, text: item.text, found: findingOf(outcomes), runs: outcomes };
  });
  const counted = (finding: Finding): number => items.filter(({ found }) => found === finding).length;
  return {
    counts: {
      always: counted('always'),
      sometimes: counted('sometimes'),
      never: counted('never'),
      excused: counted('excused'),
    },
    /** Only forced comparisons have such gold: it is left out. */
    notInEveryRun: gold.length - inEveryRun.length,
    items,
  };
}

/**
 * By its content, since with other gold the same number may be another item; the number of its like makes it one. What
 * left before pairing, and stretches of tokens or characters, are no gold items to be found.
 */
function goldOf(verdicts: readonly Verdict[]) {
  const found = verdicts
    .flatMap(({ gold, setAside, ...own }) => (gold === null || setAside || gold.index < 0 ? [] : [{ ...own, gold }]))
    .sort((a, b) => a.gold.index - b.gold.index);
  return numbered(found, ({ kind, gold: { label, text, start, end, source, target } }) => [
    [kind, label, text, start, end, source, target],
  ]);
}

function findingOf(outcomes: readonly VerdictKind[]): Finding {
  const hits = outcomes.filter((verdict) => verdict === 'hit').length;
  if (hits === outcomes.length) return 'always';
  if (hits > 0) return 'sometimes';
  return outcomes.includes('missed') ? 'never' : 'excused';
}
