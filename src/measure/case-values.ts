import type { Verdict } from '../judge/verdict.ts';
import type { CaseCounter, Outcome, Sums } from './measure.ts';

/** The material of a mean over cases: the sum of the cases' own values, how many have one, and how many have none. */
export interface CaseValues {
  readonly sum: CaseCounter;
  readonly count: CaseCounter;
  readonly out: CaseCounter;
  /** The mean over the cases that have a value; `nothing` says why there is none. */
  mean(sums: Sums, nothing: (sums: Sums) => string): Outcome;
  leftOut(sums: Sums): string | null;
}

export function caseValues(
  key: string,
  valueOf: (verdicts: readonly Verdict[], own: Sums) => number | null,
): CaseValues {
  // Three counters ask for the same value one after the other.
  let asked: readonly Verdict[] | null = null;
  let known: number | null = null;
  const once = (verdicts: readonly Verdict[], own: Sums): number | null => {
    if (verdicts !== asked) known = valueOf(verdicts, own);
    asked = verdicts;
    return known;
  };
  const counted = (what: string, add: (value: number | null) => number | null): CaseCounter => ({
    key: `case-${what}:${key}`,
    ofCase: (verdicts, own) => add(once(verdicts, own)),
  });
  const sum = counted('sum', (value) => value);
  const count = counted('count', (value) => (value === null ? null : 1));
  const out = counted('out', (value) => (value === null ? 1 : null));
  return {
    sum,
    count,
    out,
    mean(sums, nothing) {
      const n = sums.get(count.key);
      if (n === 0) return { value: null, undefined: nothing(sums), n };
      return { value: sums.get(sum.key) / n, undefined: null, n };
    },
    leftOut(sums) {
      const without = sums.get(out.key);
      const all = without + sums.get(count.key);
      return without > 0 && without < all ? `${without} of ${all} cases left out: undefined` : null;
    },
  };
}
