import type { Verdict } from '../judge/verdict.ts';
import type { Counter } from './measure.ts';

/** Which verdicts a measure looks at. */
export interface Scope {
  /** One kind of item; null means all. */
  readonly kind: string | null;
  /** Attributes that must be right for a hit to count as one. */
  readonly require: readonly string[];
}

export const WHOLE: Scope = { kind: null, require: [] };

function inScope(verdict: Verdict, scope: Scope): boolean {
  return scope.kind === null || verdict.kind === scope.kind;
}

/** Worth of the hits: 1 each, or the scheme's credit, times the tokens or characters they stand for. */
export function hitCredit(scope: Scope): Counter {
  const { require } = scope;
  return {
    key: `credit:${scope.kind ?? '*'}:${require.join('+')}`,
    of: (v) =>
      v.verdict === 'hit' &&
      inScope(v, scope) &&
      (require.length === 0 || require.every((name) => v.attributes?.[name] === true))
        ? v.credit * v.weight
        : 0,
  };
}

export function verdictCount(verdict: 'hit' | 'missed' | 'spurious', kind: string | null): Counter {
  return {
    key: `${verdict}:${kind ?? '*'}`,
    of: (v) => (v.verdict === verdict && (kind === null || v.kind === kind) ? v.weight : 0),
  };
}

export function excusedCount(side: 'gold' | 'predicted', kind: string | null): Counter {
  return {
    key: `excused-${side}:${kind ?? '*'}`,
    of: (v) => (v.verdict === 'excused' && v[side] !== null && (kind === null || v.kind === kind) ? v.weight : 0),
  };
}
