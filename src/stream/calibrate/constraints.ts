import { percentileOf } from '../../stats.ts';
import { BEGINS_IN_WORD, ENDS_IN_WORD, type GateInput } from '../replay/gate-input.ts';
import type { SweepPolicy } from './policies.ts';
import type { ScoreName, ScoreReader } from './scores.ts';
import type { SweepGrid } from './sweep-grid.ts';

type ConstraintName = keyof SweepGrid['constraints'];

export interface PolicyBound {
  readonly constraint: ConstraintName;
  readonly score: ScoreName;
  readonly side: 'at most' | 'at least';
  readonly limit: number;
  /** The limit is this share of the policy's min_words. */
  readonly ofMinWords: boolean;
  /** How the limit was worked out from the traces; null if it is set in the grid. */
  readonly derived: string | null;
}

export interface Violation {
  readonly constraint: ConstraintName | 'objective';
  /** Null: the objective has no value, so that the policy cannot be ranked. */
  readonly value: number | null;
  readonly bound: number | null;
  readonly side: 'at most' | 'at least';
}

const AT_MOST = { side: 'at most', ofMinWords: false } as const;
const AT_LEAST = { side: 'at least', ofMinWords: false } as const;

/** In the order in which they are listed. */
const RULES: readonly Pick<PolicyBound, 'constraint' | 'score' | 'side' | 'ofMinWords'>[] = [
  { constraint: 'ttff_content_p95_ms', score: 'ttff_content_p95_ms', ...AT_MOST },
  { constraint: 'worst_wait_p95_ms', score: 'worst_wait_p95_ms', ...AT_MOST },
  { constraint: 'flush_count_mean', score: 'flush_count_mean', ...AT_MOST },
  { constraint: 'chunk_size_p50_min', score: 'chunk_size_p50', ...AT_LEAST },
  { constraint: 'chunk_size_p50_min_ratio', score: 'chunk_size_p50', side: 'at least', ofMinWords: true },
  { constraint: 'chunk_size_p95_max', score: 'chunk_size_p95', ...AT_MOST },
  { constraint: 'spam_pct_mean', score: 'spam_pct_mean', ...AT_MOST },
  { constraint: 'timer_under_min_pct_mean', score: 'timer_under_min_pct_mean', ...AT_MOST },
  { constraint: 'cases_without_flush', score: 'cases_without_flush', ...AT_MOST },
];

/** The bounds of a sweep. A constraint that the grid leaves empty is derived if the grid wants that, or does not hold. */
export function boundsOf(grid: SweepGrid, pool: ReachPool, times: Float64Array): PolicyBound[] {
  return RULES.flatMap((rule): PolicyBound[] => {
    const limit = grid.constraints[rule.constraint];
    if (limit !== null) return [{ ...rule, limit, derived: null }];
    const made = derivedLimit(rule.constraint, grid, pool, times);
    return made === null ? [] : [{ ...rule, ...made }];
  });
}

function derivedLimit(
  constraint: ConstraintName,
  { derived_constraints: rules, parameter_grid: values }: SweepGrid,
  pool: ReachPool,
  times: Float64Array,
): Pick<PolicyBound, 'limit' | 'derived'> | null {
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

function limitFor({ limit, ofMinWords }: PolicyBound, { minWords }: SweepPolicy): number {
  return ofMinWords ? limit * minWords : limit;
}

/** Whether a policy keeps to a bound. If there is nothing to judge (no timer ever flushed), it does. */
export function keepsToBound(bound: PolicyBound, policy: SweepPolicy, value: number): boolean {
  const limit = limitFor(bound, policy);
  return !(bound.side === 'at most' ? value > limit : value < limit);
}

export function violationsOf(
  bounds: readonly PolicyBound[],
  policy: SweepPolicy,
  place: number,
  reader: ScoreReader,
  times: Float64Array,
): Violation[] {
  return bounds.flatMap((bound): Violation[] => {
    const value = reader.score(bound.score, place, times);
    if (keepsToBound(bound, policy, value)) return [];
    return [{ constraint: bound.constraint, value, bound: limitFor(bound, policy), side: bound.side }];
  });
}

/**
 * When one agent first has so many words, in milliseconds from the first content delta; null if no agent reaches
 * that many. No gate flushes in between: it is the least time in which that many words can have come.
 */
export function timesToReach(
  { agents, agent, time, words, edges }: GateInput,
  goals: readonly number[],
): (number | null)[] {
  const said = new Int32Array(agents.length);
  const inWord = new Uint8Array(agents.length);
  const reached: (number | null)[] = goals.map(() => null);
  for (let at = 0; at < agent.length; at += 1) {
    const edge = edges[at]!;
    const own = agent[at]!;
    said[own]! += words[at]! - (inWord[own] === 1 && (edge & BEGINS_IN_WORD) !== 0 ? 1 : 0);
    inWord[own] = (edge & ENDS_IN_WORD) === 0 ? 0 : 1;
    for (const [goal, wanted] of goals.entries())
      if (reached[goal] === null && said[own]! >= wanted) reached[goal] = time[at]! - time[0]!;
  }
  return reached;
}

/** Times of all cases and goals together, from the shortest to the longest, each with its case. */
export interface ReachPool {
  readonly times: Float64Array;
  readonly cases: Int32Array;
}

export function reachPool(byCase: readonly (readonly (number | null)[])[]): ReachPool {
  const all = byCase.flatMap((reached, at) => reached.flatMap((time) => (time === null ? [] : [{ time, at }])));
  all.sort((a, b) => a.time - b.time);
  return { times: Float64Array.from(all, ({ time }) => time), cases: Int32Array.from(all, ({ at }) => at) };
}

/** The p95 of the pool, each case counted `times` times; null if nothing was reached. */
export function p95OfPool({ times: values, cases }: ReachPool, times: Float64Array): number | null {
  return percentileOf({ values, times: Float64Array.from(cases, (at) => times[at]!) }, 0.95).value;
}
