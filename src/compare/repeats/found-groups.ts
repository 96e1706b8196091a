import type { Item, ItemKind } from '../../data/item.ts';
import { valueOf } from '../../judge/attributes.ts';
import type { Verdict, VerdictKind } from '../../judge/verdict.ts';
import { compareText } from '../../text/compare.ts';
import { groupItems, type ItemGroup } from './item-groups.ts';
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
