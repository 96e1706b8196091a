import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import type { Counts } from './results.ts';

/** Counts by kind of item where a case has several kinds. */
export function kindCounts(verdicts: readonly Verdict[]): Readonly<Record<string, Counts>> | null {
  const first = verdicts[0]?.kind;
  if (verdicts.every((verdict) => verdict.kind === first)) return null;
  const kinds: Record<string, Record<VerdictKind, number>> = {};
  for (const verdict of verdicts) {
    const own = (kinds[verdict.kind] ??= { hit: 0, spurious: 0, missed: 0, excused: 0 });
    own[verdict.verdict] += verdict.weight;
  }
  return Object.fromEntries(Object.entries(kinds).sort(([a], [b]) => compareText(a, b)));
}
