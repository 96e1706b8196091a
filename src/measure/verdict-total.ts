import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import type { Direction, Measure } from './measure.ts';

export interface TotalScope {
  readonly verdict: VerdictKind;
  readonly kind: string | null;
  /** Only verdicts by these rules; none means all. */
  readonly rules: readonly string[];
  readonly exceptRules: readonly string[];
  /** full: worth 1; part: worth less. */
  readonly credit: 'any' | 'full' | 'part';
}

/**
 * How many verdicts of a sort there are. Never undefined: none is 0, and that is a count, not a score.
 * Example: SemEval's PARTIAL is hits worth less than 1, INCORRECT is gold missed by the rule `incorrect`.
 */
export function verdictTotal(name: string, scope: TotalScope, direction: Direction): Measure {
  const { verdict, kind, credit } = scope;
  const rules = new Set(scope.rules);
  const except = new Set(scope.exceptRules);
  const counter = {
    key: `total:${verdict}:${kind ?? '*'}:${credit}:${scope.rules.join('+')}-${scope.exceptRules.join('+')}`,
    of: (v: Verdict) =>
      v.verdict === verdict &&
      (kind === null || v.kind === kind) &&
      (rules.size === 0 || rules.has(v.rule)) &&
      !except.has(v.rule) &&
      (credit === 'any' || (credit === 'full') === (v.credit === 1))
        ? v.weight
        : 0,
  };
  return {
    name,
    about: `number of ${verdict} items`,
    direction,
    range: [0, null],
    counters: [counter],
    caseCounters: [],
    proportion: false,
    byLabel: true,
    byCase: true,
    everyCase: true,
    value: (sums) => ({ value: sums.get(counter.key), undefined: null, n: sums.get(counter.key) }),
  };
}
