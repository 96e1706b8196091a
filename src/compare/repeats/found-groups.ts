import type { Item, ItemKind } from '../../data/item.ts';
import { valueOf } from '../../judge/attributes.ts';
import type { Verdict, VerdictKind } from '../../judge/verdict.ts';
import { contentOrder } from '../../pair/places.ts';
import { alignLists, type ListEntry } from '../../stats/aligned-lists.ts';
import { compareText } from '../../text/compare.ts';
import { type Likeness, likenessOf } from './likeness.ts';
import type { RepeatedQuestion, RepeatedRun } from './repeated-run.ts';

/** One thing that at least one run found in a case. */
export interface FoundGroup {
  readonly case: string;
  readonly kind: ItemKind;
  /** The label and the text that most of the runs give it; of several the first by alphabet. */
  readonly label: string;
  readonly text: string;
  /** By run: its item, null where it has none. */
  readonly items: ItemGroup;
  /** By run: what became of its item. */
  readonly verdicts: readonly (VerdictKind | null)[];
}

/** What the runs found in the cases, case by case; places first, then what has none. */
export function findGroups(
  question: RepeatedQuestion,
  runs: readonly RepeatedRun[],
  cases: readonly string[],
): FoundGroup[] {
  const kinds = [...question.pair].map(([kind, settings]) => ({ kind, likeness: likenessOf(kind, settings) }));
  return cases.flatMap((id) =>
    kinds.flatMap(({ kind, likeness }) => {
      const found = runs.map((run) => predictedOf(run.cases.get(id)?.verdicts ?? [], kind));
      return groupsOf(id, kind, found, likeness, question);
    }),
  );
}

/** What a run predicted and what became of it. What left before pairing was never part of the question. */
function predictedOf(verdicts: readonly Verdict[], kind: ItemKind): Map<Item, VerdictKind> {
  const byIndex = new Map<number, { item: Item; verdict: VerdictKind }>();
  for (const { predicted, verdict, setAside, kind: own } of verdicts) {
    if (predicted === null || setAside || own !== kind) continue;
    // Some ways of pairing let one prediction stand in several lines.
    const held = byIndex.get(predicted.index);
    if (held === undefined) byIndex.set(predicted.index, { item: predicted, verdict });
    else if (verdict === 'hit') held.verdict = 'hit';
  }
  return new Map([...byIndex.values()].map(({ item, verdict }) => [item, verdict]));
}

function groupsOf(
  id: string,
  kind: ItemKind,
  found: readonly ReadonlyMap<Item, VerdictKind>[],
  likeness: Likeness,
  { attributes }: RepeatedQuestion,
): FoundGroup[] {
  const valuesOf = (item: Item): string => JSON.stringify(attributes.map((attribute) => valueOf(attribute, item)));
  const groups = groupItems(
    found.map((items) => [...items.keys()]),
    likeness,
    valuesOf,
  );
  return groups
    .map((items): FoundGroup => ({
      case: id,
      kind,
      label: mostFrequent(items.flatMap((item) => item?.label ?? [])),
      text: mostFrequent(items.flatMap((item) => item?.text ?? [])),
      items,
      verdicts: items.map((item, run) => (item === null ? null : found[run]!.get(item)!)),
    }))
    .sort(inTextOrder);
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b))[0]![0];
}

function inTextOrder(a: FoundGroup, b: FoundGroup): number {
  return startOf(a) - startOf(b) || compareText(a.label, b.label) || compareText(a.text, b.text);
}

function startOf({ items }: FoundGroup): number {
  return Math.min(...items.map((item) => (item === null || item.start < 0 ? Number.MAX_SAFE_INTEGER : item.start)));
}

/** One thing that was found, with the item of each run; null for a run that does not have it. */
export type ItemGroup = readonly (Item | null)[];

/**
 * Brings together what several runs found in one case: at most one item of each run in a group.
 *
 * 1. Items that are the same to the pairing, and have the same attributes, go together; then those with other attributes.
 * 2. Of all pairs of groups that the recipe's pairing would accept the most alike are joined first, as long as no run
 *    is in both: it is enough that one item of each is alike.
 *
 * Every tie goes by content, so the order of the runs and of their items does not show; items of one run that are equal
 * in everything are interchangeable.
 */
export function groupItems(
  runs: readonly (readonly Item[])[],
  likeness: Likeness,
  valuesOf: (item: Item) => string,
): ItemGroup[] {
  const { entries, links } = equalItems(runs, likeness, valuesOf);
  const alike = alikeLinks(entries, alignLists(entries, links, { onePerList: true }), likeness);
  return alignLists(entries, [...links, ...alike], { onePerList: true }).map((places) => {
    const found = new Map(places.map((at) => [entries[at]!.list, entries[at]!.item]));
    return runs.map((_, run) => found.get(run) ?? null);
  });
}

interface FoundItem extends ListEntry {
  readonly item: Item;
  readonly key: string;
}

/** The items in an order that depends on their content alone, and which of them are equal: in everything, then in key. */
function equalItems(
  runs: readonly (readonly Item[])[],
  likeness: Likeness,
  valuesOf: (item: Item) => string,
): { readonly entries: FoundItem[]; readonly links: [number, number][] } {
  const found = runs.flatMap((items, list) => {
    const seen = new Map<string, number>();
    return contentOrder(items).map((item) => {
      const [key, values] = [likeness.keyOf(item), valuesOf(item)];
      const same = JSON.stringify([key, values]);
      const nth = seen.get(same) ?? 0;
      seen.set(same, nth + 1);
      return { list, item, key, values, nth };
    });
  });
  const classes = [...Map.groupBy(found, ({ key, values, nth }) => JSON.stringify([key, values, nth])).values()].sort(
    ([a, ...more], [b, ...others]) =>
      compareText(a!.key, b!.key) ||
      others.length - more.length ||
      compareText(a!.values, b!.values) ||
      a!.nth - b!.nth,
  );
  const entries = classes.flat();
  const firsts = classes.map(([first]) => entries.indexOf(first!));
  const inClass = classes.flatMap((own, at) =>
    own.map((_, place): [number, number] => [firsts[at]!, firsts[at]! + place]),
  );
  const byKey = Map.groupBy(firsts, (at) => entries[at]!.key);
  const inKey = firsts.flatMap((at) =>
    byKey.get(entries[at]!.key)!.flatMap((other): [number, number][] => (other < at ? [[other, at]] : [])),
  );
  return { entries, links: [...inClass, ...inKey] };
}

/** Links between groups that the recipe would pair, the most alike first. */
function alikeLinks(
  entries: readonly FoundItem[],
  groups: readonly (readonly number[])[],
  likeness: Likeness,
): [number, number][] {
  // Equal keys mean equal in the eyes of the pairing: one of the items speaks for the group.
  const speakers = groups.map(([first]) => entries[first!]!.item);
  const runs = groups.map((places) => new Set(places.map((at) => entries[at]!.list)));
  const { gold, predicted } = likeness.candidates(speakers);
  const pairs: { a: number; b: number; preference: number; similarity: number }[] = [];
  for (let at = 0; at < gold.length; at += 1) {
    const [a, b] = [gold[at]!, predicted[at]!];
    if (a >= b || !runs[a]!.isDisjointFrom(runs[b]!)) continue;
    const alike = likeness.compare(speakers[a]!, speakers[b]!);
    if (alike !== null) pairs.push({ a, b, preference: alike.preference, similarity: alike.similarity });
  }
  return pairs
    .sort((x, y) => x.preference - y.preference || y.similarity - x.similarity || x.a - y.a || x.b - y.b)
    .map(({ a, b }) => [groups[a]![0]!, groups[b]![0]!]);
}
