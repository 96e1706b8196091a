import type { Verdict } from '../judge/verdict.ts';
import type { Counter, Sums } from './measure.ts';

/** Which verdicts a measure looks at. */
export interface Scope {
  /** One kind of item; null means all. */
  readonly kind: string | null;
  /** Attributes that must not be wrong for a hit to count as one. */
  readonly require: readonly string[];
}

export const WHOLE: Scope = { kind: null, require: [] };

/** Adds up credits in millionths: whole numbers have an exact sum, which no order of cases can change. */
const CREDIT_UNITS = 1_000_000;

export interface CreditCounter extends Counter {
  total(sums: Sums): number;
}

function isOfKind(verdict: Verdict, kind: string | null): boolean {
  return kind === null || verdict.kind === kind;
}

/** Worth of the hits: 1 each, or the scheme's credit, times the tokens or characters they stand for. */
export function hitCredit({ kind, require }: Scope): CreditCounter {
  const key = `credit:${kind ?? '*'}:${require.join('+')}`;
  const counts = (v: Verdict): boolean =>
    v.verdict === 'hit' && isOfKind(v, kind) && require.every((name) => v.attributes?.[name] !== false);
  return {
    key,
    of: (v) => (counts(v) ? Math.round(v.credit * CREDIT_UNITS) * v.weight : 0),
    total: (sums) => sums.get(key) / CREDIT_UNITS,
  };
}

export function verdictCount(verdict: 'hit' | 'missed' | 'spurious', kind: string | null): Counter {
  return {
    key: `${verdict}:${kind ?? '*'}`,
    of: (v) => (v.verdict === verdict && isOfKind(v, kind) ? v.weight : 0),
  };
}

/** Excused items of a side, all of them or those that the named rules excused. */
export function excusedCount(side: 'gold' | 'predicted', kind: string | null, rules: readonly string[] = []): Counter {
  return {
    key: `excused-${side}:${kind ?? '*'}:${rules.join('+')}`,
    of: (v) =>
      v.verdict === 'excused' && v[side] !== null && isOfKind(v, kind) && (rules.length === 0 || rules.includes(v.rule))
        ? v.weight
        : 0,
  };
}
