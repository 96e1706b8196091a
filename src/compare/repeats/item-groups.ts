import type { Item, ItemKind } from '../../data/item.ts';
import { valueOf } from '../../judge/attributes.ts';
import type { Verdict, VerdictKind } from '../../judge/verdict.ts';
import type { PairSettings } from '../../pair/criterion.ts';
import { makePairer, UNSHARED_WORK } from '../../pair/pair.ts';
import { contentOrder } from '../../pair/places.ts';
import type { Plan } from '../../recipe/plan.ts';
import { canonicalJson } from '../../score/fingerprint.ts';
import { alignLists, everyTwo } from '../../stats/aligned-lists.ts';
import { compareText } from '../../text/compare.ts';
import type { RepeatedRun } from './read-runs.ts';

/** An item that runs have in common, or not. */
export interface SharedItem {
  readonly case: string;
  readonly kind: ItemKind;
  /** Of what was predicted the label and the text that most of the runs give it; of several the first by alphabet. */
  readonly label: string;
  readonly text: string;
}

/** One thing that at least one run found in a case. */
export interface SharedItemGroup extends SharedItem {
  readonly items: ItemGroup;
  /** By run: what became of its item. */
  readonly verdicts: readonly (VerdictKind | null)[];
}

/** By run: its item, null where it has none. */
export type ItemGroup = readonly (Item | null)[];

/** What the runs found in the cases, case by case; places first, then what has none. */
export function findGroups(plan: Plan, runs: readonly RepeatedRun[], cases: readonly string[]): SharedItemGroup[] {
  const kinds = [...plan.schemes[0]!.pair].map(([kind, settings]) => ({ kind, likeness: likenessOf(kind, settings) }));
  const valuesOf = (item: Item): string => JSON.stringify(plan.attributes.map((attribute) => valueOf(attribute, item)));
  return cases.flatMap((id) =>
    kinds.flatMap(({ kind, likeness }) => {
      const found = runs.map((run) => predictedOf(run.cases.get(id)!.verdicts, kind));
      const items = found.map((own) => [...own.keys()]);
      return groupItems(items, likeness, valuesOf)
        .map((group): SharedItemGroup => ({
          case: id,
          kind,
          label: mostFrequent(group.flatMap((item) => item?.label ?? [])),
          text: mostFrequent(group.flatMap((item) => item?.text ?? [])),
          items: group,
          verdicts: group.map((item, run) => (item === null ? null : found[run]!.get(item)!)),
        }))
        .sort(inTextOrder);
    }),
  );
}

/** The recipe's pairing of one kind of item, asked of two predictions instead of gold and a prediction. */
export type GroupLikeness = ReturnType<typeof likenessOf>;

export function likenessOf(kind: ItemKind, settings: PairSettings) {
  const { accept } = settings;
  const { judge, reach } = makePairer(settings);
  const own = accept.some((criterion) => criterion.own !== null);
  const gate = [...new Set(accept.flatMap((criterion) => criterion.gate))].filter((field) => field !== 'label');
  return {
    /** All that the pairing can see of an item: two items with the same key are the same thing. */
    keyOf: ({ label, text, start, end, source, target, fields }: Item): string => {
      const seen = own ? [canonicalJson(fields)] : gate.map((field) => fields[field] ?? null);
      return JSON.stringify([label, text, start, end, source, target, ...seen]);
    },
    /** Neither of them is gold: it is enough that one would be accepted for the other. Null where neither would. */
    compare: (a: Item, b: Item) => {
      const either = [judge(a, b, 0, 0), judge(b, a, 0, 0)].filter((found) => found !== null);
      return either.sort((x, y) => x.preference - y.preference || y.similarity - x.similarity)[0] ?? null;
    },
    /** Positions that come into question; each pair may come twice. */
    candidates: (items: readonly Item[]) => UNSHARED_WORK.pairsOf(items, items, kind === 'span' ? reach : null),
  };
}

/**
 * What a run predicted and what became of it: a hit, if pairing lets one prediction be in several lines
 * and one of them is. What left before pairing was never part of the question.
 */
function predictedOf(verdicts: readonly Verdict[], kind: ItemKind): Map<Item, VerdictKind> {
  const own = verdicts.flatMap(({ predicted, verdict, setAside, kind: of }) =>
    predicted === null || setAside || of !== kind ? [] : [{ predicted, verdict }],
  );
  const byIndex = Map.groupBy(own, ({ predicted }) => predicted.index).values();
  return new Map(
    byIndex.map((lines) => [
      lines[0]!.predicted,
      lines.some(({ verdict }) => verdict === 'hit') ? 'hit' : lines[0]!.verdict,
    ]),
  );
}

function mostFrequent(values: readonly string[]): string {
  const counts = [...Map.groupBy(values, (value) => value)];
  return counts.sort(([a, x], [b, y]) => y.length - x.length || compareText(a, b))[0]![0];
}

function inTextOrder(a: SharedItemGroup, b: SharedItemGroup): number {
  const startOf = ({ items }: SharedItemGroup): number =>
    Math.min(...items.map((item) => (item === null || item.start < 0 ? Number.MAX_SAFE_INTEGER : item.start)));
  return startOf(a) - startOf(b) || compareText(a.label, b.label) || compareText(a.text, b.text);
}

/** Each with how many of its like came before it, and a key unique in its list that its like in another list shares. */
export function numbered<T extends object>(
  things: readonly T[],
  contentOf: (thing: T) => readonly unknown[],
): (T & { readonly nth: number; readonly same: string })[] {
  const seen = new Map<string, number>();
  return things.map((thing) => {
    const content = JSON.stringify(contentOf(thing));
    const nth = seen.get(content) ?? 0;
    seen.set(content, nth + 1);
    return { ...thing, nth, same: `${content} ${nth}` };
  });
}

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
  likeness: GroupLikeness,
  valuesOf: (item: Item) => string,
): ItemGroup[] {
  const found = runs.flatMap((items, list) => {
    const own = contentOrder(items).map((item) => ({ list, item, key: likeness.keyOf(item), values: valuesOf(item) }));
    return numbered(own, ({ key, values }) => [key, values]);
  });
  // In an order that depends on content alone.
  const classes = [...Map.groupBy(found, ({ same }) => same).values()].sort(
    ([a, ...more], [b, ...others]) =>
      compareText(a!.key, b!.key) ||
      others.length - more.length ||
      compareText(a!.values, b!.values) ||
      a!.nth - b!.nth,
  );
  const entries = classes.flat();
  const places = classes.map((own) => own.map((entry) => entries.indexOf(entry)));
  const byKey = Map.groupBy(places, ([first]) => entries[first!]!.key);
  const equal = [
    ...places.flatMap(([first, ...more]) => more.map((at): Link => [first!, at])),
    ...byKey.values().flatMap((own) => everyTwo(own.length).map(([a, b]): Link => [own[a]![0]!, own[b]![0]!])),
  ];
  const groups = alignLists(entries, equal, { onePerList: true });
  return alignLists(entries, [...equal, ...alikeLinks(entries, groups, likeness)], { onePerList: true }).map(
    (group) => {
      const byRun = new Map(group.map((at) => [entries[at]!.list, entries[at]!.item]));
      return runs.map((_, run) => byRun.get(run) ?? null);
    },
  );
}

type Link = readonly [number, number];

/** Links between groups that the recipe would pair, the most alike first. */
function alikeLinks(
  entries: readonly { readonly list: number; readonly item: Item }[],
  groups: readonly (readonly number[])[],
  likeness: GroupLikeness,
): Link[] {
  // Equal keys mean equal in the eyes of the pairing: one of the items speaks for the group.
  const speakers = groups.map(([first]) => entries[first!]!.item);
  const runs = groups.map((places) => new Set(places.map((at) => entries[at]!.list)));
  const { gold, predicted } = likeness.candidates(speakers);
  return gold
    .flatMap((a, at) => {
      const b = predicted[at]!;
      const alike = a < b && runs[a]!.isDisjointFrom(runs[b]!) ? likeness.compare(speakers[a]!, speakers[b]!) : null;
      return alike === null ? [] : [{ ...alike, a, b }];
    })
    .sort((x, y) => x.preference - y.preference || y.similarity - x.similarity || x.a - y.a || x.b - y.b)
    .map(({ a, b }) => [groups[a]![0]!, groups[b]![0]!]);
}
