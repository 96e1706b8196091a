import type { VerdictKind } from '../../../../src/judge/verdict.ts';
import type { RuleCount } from '../../../../src/score/run.ts';

/** What one rule decided about one kind of item, over all labels. */
export interface RuleRow {
  readonly rule: string;
  readonly kind: string;
  readonly counts: Readonly<Record<VerdictKind, number>>;
}

/** Who decided what under the recipe's own pairing, the most verdicts first. */
export function ruleRows(rules: readonly RuleCount[]): readonly RuleRow[] {
  const rows = new Map<string, { rule: string; kind: string; counts: Record<VerdictKind, number>; total: number }>();
  for (const { scheme, kind, rule, verdict, n } of rules) {
    if (scheme !== null) continue;
    const key = JSON.stringify([kind, rule]);
    const row = rows.get(key) ?? { rule, kind, counts: { hit: 0, missed: 0, spurious: 0, excused: 0 }, total: 0 };
    row.counts[verdict] += n;
    row.total += n;
    rows.set(key, row);
  }
  return [...rows.values()]
    .toSorted((a, b) => b.total - a.total)
    .map(({ rule, kind, counts }) => ({ rule, kind, counts }));
}
