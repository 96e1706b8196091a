import type { Verdict } from '../judge/verdict.ts';
import { type Bound, boundText, keepsTo } from './bound.ts';
import { numberIn } from './item-numbers.ts';
import type { Counter, Sums } from './measure.ts';

/** Which verdicts a measure looks at. */
export interface Scope {
  /** One kind of item; null means all. */
  readonly kind: string | null;
  /** Attributes that must not be wrong for a hit to count as one. */
  readonly require: readonly string[];
  /** Kinds of match (exact, fuzzy, …) that count as a hit; none means all. */
  readonly match: readonly string[];
}

export const WHOLE: Scope = { kind: null, require: [], match: [] };

/** Adds up credits in millionths: whole numbers have an exact sum, which no order of cases can change. */
const CREDIT_UNITS = 1_000_000;

export interface CreditCounter extends Counter {
  total(sums: Sums): number;
}

function isOfKind(verdict: Verdict, kind: string | null): boolean {
  return kind === null || verdict.kind === kind;
}

/** A number of the predicted item that a hit must keep to. */
export type Within = Bound & { readonly field: string };

/** Worth of the hits: 1 each, or the scheme's credit, times the tokens or characters they stand for. */
export function hitCredit({ kind, require, match }: Scope, within?: Within): CreditCounter {
  const key = `credit:${kind ?? '*'}:${require.join('+')}:${match.join('+')}${within === undefined ? '' : `:${within.field} ${boundText(within)}`}`;
  const every = require.length === 0 && match.length === 0 && within === undefined;
  const suits = (v: Verdict): boolean =>
    (match.length === 0 || match.includes(v.match ?? '')) &&
    require.every((name) => v.attributes?.[name] !== false) &&
    (within === undefined || isWithin(v, within));
  return {
    key,
    of: (v) =>
      v.verdict === 'hit' && isOfKind(v, kind) && (every || suits(v))
        ? (v.credit === 1 ? CREDIT_UNITS : Math.round(v.credit * CREDIT_UNITS)) * v.weight
        : 0,
    total: (sums) => sums.get(key) / CREDIT_UNITS,
  };
}

function isWithin(v: Verdict, within: Within): boolean {
  const value = numberIn(v, within.field);
  return value !== null && keepsTo(within, value);
}

/** Hits whose predicted item has a number in the field. */
export function numberedHits(kind: string | null, field: string): Counter {
  return {
    key: `numbered-hits:${kind ?? '*'}:${field}`,
    of: (v) => (v.verdict === 'hit' && isOfKind(v, kind) && numberIn(v, field) !== null ? v.weight : 0),
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
