import type { Verdict } from '../judge/verdict.ts';
import { type Bound, boundText, keepsTo } from './bound.ts';
import { numberIn } from './item-numbers.ts';
import type { Counter, LabelAmount, Sums } from './measure.ts';

/** Which verdicts a measure looks at. */
export interface Scope {
  /** One kind of item; null means all. */
  readonly kind: string | null;
  /** Attributes that must not be wrong for a hit to count as one. */
  readonly require: readonly string[];
  /** Kinds of match (exact, fuzzy, …) that count as a hit; none means all. */
  readonly match: readonly string[];
  /** Attributes that must not be wrong for a hit to count in the row of its label: an entity's type is that label. */
  readonly requireByLabel?: readonly string[] | undefined;
}

export const WHOLE: Scope = { kind: null, require: [], match: [] };

/** Adds up credits in millionths: whole numbers have an exact sum, which no order of cases can change. */
const CREDIT_UNITS = 1_000_000;

export interface CreditCounter extends Counter {
  total(sums: Sums): number;
}

const NO_ROW: readonly LabelAmount[] = [];

/**
 * By label, a hit whose label is wrong is what it would be if labels had to agree: gold of its label is missed, and what was
 * predicted is spurious under the label that it was given. Null for any other verdict.
 */
function mislabelled(v: Verdict, { kind, requireByLabel }: RowScope): { gold: Verdict; predicted: Verdict } | null {
  if (v.verdict !== 'hit' || v.gold === null || v.predicted === null || !isOfKind(v, kind)) return null;
  if (requireByLabel?.some((name) => v.attributes?.[name] === false) !== true) return null;
  return {
    gold: { ...v, verdict: 'missed', label: v.gold.label, predicted: null },
    predicted: { ...v, verdict: 'spurious', label: v.predicted.label, gold: null },
  };
}

type RowScope = Pick<Scope, 'kind' | 'requireByLabel'>;

/** A counter whose rows by label take a hit with a wrong label apart. */
function takenApart(counter: Counter, scope: RowScope): Counter {
  const { requireByLabel = [] } = scope;
  if (requireByLabel.length === 0) return counter;
  return {
    key: `${counter.key}:by ${requireByLabel.join('+')}`,
    of: (v) => counter.of(v),
    byLabel(v) {
      const sides = mislabelled(v, scope);
      if (sides === null) return null;
      const rows = [sides.gold, sides.predicted].map((own) => ({ label: own.label, add: counter.of(own) }));
      return rows.every(({ add }) => add === 0) ? NO_ROW : rows;
    },
  };
}

function isOfKind(verdict: Verdict, kind: string | null): boolean {
  return kind === null || verdict.kind === kind;
}

/** A number of the predicted item that a hit must keep to. */
export type Within = Bound & { readonly field: string };

/** Worth of the hits: 1 each, or the scheme's credit, times the tokens or characters they stand for. */
export function hitCredit(scope: Scope, within?: Within): CreditCounter {
  const { kind, require, match } = scope;
  const own = `credit:${kind ?? '*'}:${require.join('+')}:${match.join('+')}${within === undefined ? '' : `:${within.field} ${boundText(within)}`}`;
  const every = require.length === 0 && match.length === 0 && within === undefined;
  const suits = (v: Verdict): boolean =>
    (match.length === 0 || match.includes(v.match ?? '')) &&
    require.every((name) => v.attributes?.[name] !== false) &&
    (within === undefined || isWithin(v, within));
  const counter = takenApart(
    {
      key: own,
      of: (v) =>
        v.verdict === 'hit' && isOfKind(v, kind) && (every || suits(v))
          ? (v.credit === 1 ? CREDIT_UNITS : Math.round(v.credit * CREDIT_UNITS)) * v.weight
          : 0,
    },
    scope,
  );
  return { ...counter, total: (sums) => sums.get(counter.key) / CREDIT_UNITS };
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

export function verdictCount(verdict: 'hit' | 'missed' | 'spurious', scope: RowScope): Counter {
  const { kind } = scope;
  return takenApart(
    { key: `${verdict}:${kind ?? '*'}`, of: (v) => (v.verdict === verdict && isOfKind(v, kind) ? v.weight : 0) },
    scope,
  );
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
