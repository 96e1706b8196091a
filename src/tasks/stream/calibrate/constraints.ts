import type { SweepPolicy } from './policies.ts';
import { p95OfPool, type ReachPool } from './reach-times.ts';
import type { ScoreName, ScoreReader } from './scores.ts';
import type { SweepGrid } from './sweep-grid.ts';

export type ConstraintName = keyof SweepGrid['constraints'];

/** What a policy must keep to. */
export interface Bound {
  readonly constraint: ConstraintName;
  readonly score: ScoreName;
  readonly side: 'at most' | 'at least';
  readonly limit: number;
  /** The limit is this share of the policy's min_words. */
  readonly ofMinWords: boolean;
  /** How the limit was worked out from the traces; null where the grid says it. */
  readonly derived: string | null;
}

export interface Violation {
  readonly constraint: ConstraintName | 'objective';
  /** Null: the objective has no value, so that the policy cannot be ranked. */
  readonly value: number | null;
  readonly bound: number | null;
  readonly side: 'at most' | 'at least';
}

const RULES: Readonly<Record<ConstraintName, Pick<Bound, 'score' | 'side' | 'ofMinWords'>>> = {
  ttff_content_p95_ms: { score: 'ttff_content_p95_ms', side: 'at most', ofMinWords: false },
  spam_pct_mean: { score: 'spam_pct_mean', side: 'at most', ofMinWords: false },
  timer_under_min_pct_mean: { score: 'timer_under_min_pct_mean', side: 'at most', ofMinWords: false },
  chunk_size_p50_min_ratio: { score: 'chunk_size_p50', side: 'at least', ofMinWords: true },
  chunk_size_p95_max: { score: 'chunk_size_p95', side: 'at most', ofMinWords: false },
  worst_wait_p95_ms: { score: 'worst_wait_p95_ms', side: 'at most', ofMinWords: false },
  flush_count_mean: { score: 'flush_count_mean', side: 'at most', ofMinWords: false },
  chunk_size_p50_min: { score: 'chunk_size_p50', side: 'at least', ofMinWords: false },
  cases_without_flush: { score: 'cases_without_flush', side: 'at most', ofMinWords: false },
};

/**
 * The bounds of a sweep. A constraint that the grid leaves empty is derived where the grid wants that, and holds for
 * nobody else: a number that stands there is taken as it is.
 */
export function boundsOf(grid: SweepGrid, pool: ReachPool, times: Float64Array): Bound[] {
  return constraintNames(grid).flatMap((constraint): Bound[] => {
    const given = grid.constraints[constraint];
    if (given !== null) return [{ constraint, ...RULES[constraint], limit: given, derived: null }];
    const made = derivedLimit(constraint, grid, pool, times);
    return made === null ? [] : [{ constraint, ...RULES[constraint], ...made }];
  });
}

function constraintNames({ constraints }: SweepGrid): ConstraintName[] {
  const names: readonly ConstraintName[] = [
    'ttff_content_p95_ms',
    'worst_wait_p95_ms',
    'flush_count_mean',
    'chunk_size_p50_min',
    'chunk_size_p50_min_ratio',
    'chunk_size_p95_max',
    'spam_pct_mean',
    'timer_under_min_pct_mean',
    'cases_without_flush',
  ];
  return names.filter((name) => Object.hasOwn(constraints, name));
}

function derivedLimit(
  constraint: ConstraintName,
  { derived_constraints: rules, parameter_grid: values }: SweepGrid,
  pool: ReachPool,
  times: Float64Array,
): Pick<Bound, 'limit' | 'derived'> | null {
  if (constraint === 'ttff_content_p95_ms' && rules.ttff_content_p95_ms.enabled) {
    const factor = rules.ttff_content_p95_ms.safety_factor;
    const p95 = p95OfPool(pool, times);
    if (p95 === null) return null;
    return { limit: factor * p95, derived: `${factor} times the p95 of the time until min_words have come, ${p95} ms` };
  }
  if (constraint === 'worst_wait_p95_ms' && rules.worst_wait_p95_ms.enabled) {
    const factor = rules.worst_wait_p95_ms.safety_factor;
    const longest = Math.max(...values.max_wait_timeout_ms);
    return { limit: factor * longest, derived: `${factor} times the longest max wait of the grid, ${longest} ms` };
  }
  return null;
}

export function limitFor({ limit, ofMinWords }: Bound, { minWords }: SweepPolicy): number {
  return ofMinWords ? limit * minWords : limit;
}

/** Whether a policy keeps to a bound. Where there is nothing to judge (no timer ever flushed), it does. */
export function keepsTo(bound: Bound, policy: SweepPolicy, value: number): boolean {
  const limit = limitFor(bound, policy);
  return !(bound.side === 'at most' ? value > limit : value < limit);
}

/** All that a policy violates, with value and bound. */
export function violationsOf(
  bounds: readonly Bound[],
  policy: SweepPolicy,
  place: number,
  reader: ScoreReader,
  times: Float64Array,
): Violation[] {
  return bounds.flatMap((bound): Violation[] => {
    const value = reader.score(bound.score, place, times);
    if (keepsTo(bound, policy, value)) return [];
    return [{ constraint: bound.constraint, value, bound: limitFor(bound, policy), side: bound.side }];
  });
}
