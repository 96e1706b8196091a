import type { VerdictKind } from '../judge/verdict.ts';
import type { ConfusionCount, RuleCount } from '../score/run.ts';

type Counts = Record<VerdictKind, number>;

/**
 * What became of the items of each label, by kind and by the recipe's own pairing. Hits whose label is wrong, if the
 * measures by label take them apart, are missed under gold's label and spurious under the predicted one.
 */
export function labelCounts({
  rules,
  confusion,
}: {
  readonly rules: readonly RuleCount[];
  readonly confusion: readonly ConfusionCount[];
}): ReadonlyMap<string, ReadonlyMap<string, Readonly<Counts>>> {
  const kinds = new Map<string, Map<string, Counts>>();
  const countsOf = (kind: string, label: string): Counts => {
    const labels = kinds.get(kind) ?? new Map<string, Counts>();
    kinds.set(kind, labels);
    const counts = labels.get(label) ?? { hit: 0, missed: 0, spurious: 0, excused: 0 };
    labels.set(label, counts);
    return counts;
  };
  for (const { scheme, kind, label, verdict, n } of rules) if (scheme === null) countsOf(kind, label)[verdict] += n;
  for (const { scheme, kind, gold, predicted, wrong = 0 } of confusion) {
    if (scheme !== null || wrong === 0 || gold === null || predicted === null) continue;
    countsOf(kind, gold).hit -= wrong;
    countsOf(kind, gold).missed += wrong;
    countsOf(kind, predicted).spurious += wrong;
  }
  return kinds;
}
