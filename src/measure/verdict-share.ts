import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import { type Counter, type Direction, type Measure, ratio, type ZeroDivision } from './measure.ts';

/**
 * share of a verdict = verdicts of one sort / verdicts of the kind, or of those among them that count here; higher is
 * better for hits, lower for the others, unless the recipe says otherwise. Undefined when there is no such verdict.
 * Example: 45 summaries as agreed (hit), 5 not (spurious), share of spurious: 5 / 50 = 0.1.
 */
export function verdictShare(
  name: string,
  kind: string | null,
  verdict: VerdictKind,
  among: readonly VerdictKind[],
  direction: Direction,
  zeroDivision: ZeroDivision,
): Measure {
  const counted = (what: VerdictKind): Counter => ({
    key: `verdicts:${what}:${kind ?? '*'}`,
    of: (v: Verdict) => (v.verdict === what && !v.setAside && (kind === null || v.kind === kind) ? v.weight : 0),
  });
  const part = counted(verdict);
  const all = among.map(counted);
  return {
    name,
    about: `${kind ?? ''} verdicts that are ${verdict} / those that are ${among.join(', ')}`.trimStart(),
    direction,
    range: [0, 1],
    counters: all,
    caseCounters: [],
    proportion: true,
    byLabel: true,
    byCase: true,
    value(sums) {
      const n = all.reduce((sum, { key }) => sum + sums.get(key), 0);
      return ratio(
        sums.get(part.key),
        n,
        n,
        `there is no ${kind ?? 'item'} that is ${among.join(' or ')}`,
        zeroDivision,
      );
    },
  };
}
