import { VERDICTS, type Verdict, type VerdictKind } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import type { ConfusionCount } from './confusion.ts';

/** How many verdicts each rule made: where a score comes from. */
export interface RuleCount {
  readonly scheme: string | null;
  readonly kind: string;
  readonly verdict: VerdictKind;
  readonly rule: string;
  readonly label: string;
  readonly n: number;
}

type Counts = Record<VerdictKind, number>;

export class RuleCounts {
  /** By scheme and kind, then rule, then label: two look-ups a verdict instead of a key built for each. */
  readonly #tables = new Map<
    string,
    { scheme: string | null; kind: string; rules: Map<string, Map<string, Counts>> }
  >();

  add(verdicts: readonly Verdict[]): void {
    let scheme: string | null = null;
    let kind = '';
    let rules: Map<string, Map<string, Counts>> | null = null;
    for (const verdict of verdicts) {
      if (rules === null || verdict.kind !== kind || verdict.scheme !== scheme) {
        scheme = verdict.scheme;
        kind = verdict.kind;
        rules = this.#table(scheme, kind);
      }
      let labels = rules.get(verdict.rule);
      if (labels === undefined) rules.set(verdict.rule, (labels = new Map<string, Counts>()));
      let counts = labels.get(verdict.label);
      if (counts === undefined) labels.set(verdict.label, (counts = { hit: 0, missed: 0, spurious: 0, excused: 0 }));
      counts[verdict.verdict] += verdict.weight;
    }
  }

  list(): RuleCount[] {
    const out: RuleCount[] = [];
    for (const { scheme, kind, rules } of this.#tables.values()) {
      for (const [rule, labels] of rules) {
        for (const [label, counts] of labels) {
          for (const verdict of VERDICTS)
            if (counts[verdict] > 0) out.push({ scheme, kind, verdict, rule, label, n: counts[verdict] });
        }
      }
    }
    const key = (count: RuleCount): string =>
      [count.scheme ?? '', count.kind, VERDICTS.indexOf(count.verdict), count.rule, count.label].join('\u0000');
    return out.toSorted((a, b) => compareText(key(a), key(b)));
  }

  #table(scheme: string | null, kind: string): Map<string, Map<string, Counts>> {
    const key = `${scheme ?? ''}\u0000${kind}`;
    let table = this.#tables.get(key);
    if (table === undefined) this.#tables.set(key, (table = { scheme, kind, rules: new Map() }));
    return table.rules;
  }
}

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
