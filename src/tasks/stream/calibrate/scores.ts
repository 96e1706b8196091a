import type { CaseColumn, CaseTable } from './case-table.ts';

/** How the values of the cases become one: by mean, sum or maximum, or the value below which a share of them lies. */
type Summary = 'mean' | 'sum' | 'max' | number;
export type ScoreUnit = 'ms' | 'flushes' | 'words' | 'pct' | 'cases';

interface ScoreRule {
  readonly of: CaseColumn;
  readonly how: Summary;
  readonly unit: ScoreUnit;
  /** Only larger chunks are better; all else is better when it is less. */
  readonly better?: 'higher';
}

export const SCORE_NAMES = [
  'flush_count_mean',
  'ttff_content_p50_ms',
  'ttff_content_p95_ms',
  'ttff_trace_p50_ms',
  'chunk_size_p50',
  'chunk_size_p90',
  'chunk_size_p95',
  'chunk_size_max',
  'worst_wait_p50_ms',
  'worst_wait_p95_ms',
  'worst_wait_max_ms',
  'late_wait_p95_ms',
  'late_wait_max_ms',
  'gap_p95_ms',
  'spam_pct_mean',
  'timer_flush_pct_mean',
  'timer_under_min_pct_mean',
  'tail_words_mean',
  'cases_without_flush',
] as const;
export type ScoreName = (typeof SCORE_NAMES)[number];

/** Scores of which it can be said which way is better, so that a front can be drawn. */
export const OBJECTIVE_NAMES = [
  'flush_count_mean',
  'ttff_content_p50_ms',
  'ttff_content_p95_ms',
  'ttff_trace_p50_ms',
  'chunk_size_p50',
  'worst_wait_p50_ms',
  'worst_wait_p95_ms',
  'late_wait_p95_ms',
  'gap_p95_ms',
  'spam_pct_mean',
  'tail_words_mean',
] as const satisfies readonly ScoreName[];
export type ObjectiveName = (typeof OBJECTIVE_NAMES)[number];

/**
 * The scores of a policy over all cases. Percentiles interpolate linearly; the program that the names come from took
 * the nearest rank, so its figures differ by up to the gap between two neighbours. `worst_wait` is the p95 of a case, as
 * there, but of how long words were held and not of the gaps between flushes, which are `gap`.
 */
export const SCORES: Readonly<Record<ScoreName, ScoreRule>> = {
  flush_count_mean: { of: 'flush_count', how: 'mean', unit: 'flushes' },
  ttff_content_p50_ms: { of: 'ttff_content_ms', how: 0.5, unit: 'ms' },
  ttff_content_p95_ms: { of: 'ttff_content_ms', how: 0.95, unit: 'ms' },
  ttff_trace_p50_ms: { of: 'ttff_trace_ms', how: 0.5, unit: 'ms' },
  chunk_size_p50: { of: 'chunk_size_p50', how: 0.5, unit: 'words', better: 'higher' },
  chunk_size_p90: { of: 'chunk_size_p90', how: 0.9, unit: 'words' },
  // The largest over cases: a bound on it holds for every case.
  chunk_size_p95: { of: 'chunk_size_p95', how: 'max', unit: 'words' },
  chunk_size_max: { of: 'chunk_size_max', how: 'max', unit: 'words' },
  worst_wait_p50_ms: { of: 'wait_p95_ms', how: 0.5, unit: 'ms' },
  worst_wait_p95_ms: { of: 'wait_p95_ms', how: 0.95, unit: 'ms' },
  worst_wait_max_ms: { of: 'wait_max_ms', how: 'max', unit: 'ms' },
  late_wait_p95_ms: { of: 'late_wait_p95_ms', how: 0.95, unit: 'ms' },
  late_wait_max_ms: { of: 'late_wait_max_ms', how: 'max', unit: 'ms' },
  gap_p95_ms: { of: 'gap_p95_ms', how: 0.95, unit: 'ms' },
  spam_pct_mean: { of: 'spam_pct', how: 'mean', unit: 'pct' },
  timer_flush_pct_mean: { of: 'timer_flush_pct', how: 'mean', unit: 'pct' },
  timer_under_min_pct_mean: { of: 'timer_under_min_pct', how: 'mean', unit: 'pct' },
  tail_words_mean: { of: 'tail_words', how: 'mean', unit: 'words' },
  cases_without_flush: { of: 'without_flush', how: 'sum', unit: 'cases' },
};

/** Why a score has no value. */
export function whyNoScore(name: ScoreName): string {
  return SCORES[name].of === 'gap_p95_ms' ? 'no case has two regular flushes' : 'no case has a regular flush';
}

/** Reads scores off a table, each case counted as often as `times` says. NaN: no case has a value. */
export class ScoreReader {
  readonly #table: CaseTable;
  /** By column: the cases of each policy from the smallest value to the largest, those without one left out. */
  readonly #orders = new Map<CaseColumn, { readonly order: Int32Array; readonly defined: Int32Array }>();

  constructor(table: CaseTable) {
    this.#table = table;
  }

  /** Each case once. */
  everyCase(): Float64Array {
    return new Float64Array(this.#table.cases).fill(1);
  }

  score(name: ScoreName, policy: number, times: Float64Array): number {
    const { of, how } = SCORES[name];
    if (how === 'mean' || how === 'sum') return this.#sum(of, policy, times, how === 'mean');
    return this.#percentile(of, policy, times, how === 'max' ? 1 : how);
  }

  /** Cases that have a value, each as often as it counts. */
  n(name: ScoreName, policy: number, times: Float64Array): number {
    const { cases, columns } = this.#table;
    const column = columns[SCORES[name].of];
    let n = 0;
    for (let at = 0; at < cases; at += 1) if (!Number.isNaN(column[policy * cases + at]!)) n += times[at]!;
    return n;
  }

  #sum(of: CaseColumn, policy: number, times: Float64Array, mean: boolean): number {
    const { cases, columns } = this.#table;
    const column = columns[of];
    let sum = 0;
    let n = 0;
    for (let at = 0; at < cases; at += 1) {
      const value = column[policy * cases + at]!;
      if (Number.isNaN(value)) continue;
      sum += times[at]! * value;
      n += times[at]!;
    }
    return n === 0 ? Number.NaN : mean ? sum / n : sum;
  }

  /** As `percentile` gives it for the list in which each value stands as often as it counts. */
  #percentile(of: CaseColumn, policy: number, times: Float64Array, q: number): number {
    const { cases, columns } = this.#table;
    const column = columns[of];
    const { order, defined } = this.#ordered(of);
    const from = policy * cases;
    const end = from + defined[policy]!;
    let n = 0;
    for (let at = from; at < end; at += 1) n += times[order[at]!]!;
    if (n === 0) return Number.NaN;
    const place = q * (n - 1);
    const below = Math.min(Math.floor(place), n - 1);
    let passed = 0;
    let low = Number.NaN;
    for (let at = from; at < end; at += 1) {
      const value = column[from + order[at]!]!;
      passed += times[order[at]!]!;
      if (passed > below && Number.isNaN(low)) low = value;
      if (passed > Math.min(below + 1, n - 1)) return between(low, value, place - below);
    }
    return low;
  }

  #ordered(of: CaseColumn): { readonly order: Int32Array; readonly defined: Int32Array } {
    const known = this.#orders.get(of);
    if (known !== undefined) return known;
    const { cases, policies, columns } = this.#table;
    const column = columns[of];
    const made = { order: new Int32Array(cases * policies), defined: new Int32Array(policies) };
    for (let policy = 0; policy < policies; policy += 1) {
      const from = policy * cases;
      const have: number[] = [];
      for (let at = 0; at < cases; at += 1) if (!Number.isNaN(column[from + at]!)) have.push(at);
      have.sort((a, b) => column[from + a]! - column[from + b]!);
      made.order.set(have, from);
      made.defined[policy] = have.length;
    }
    this.#orders.set(of, made);
    return made;
  }
}

/** From the nearer end, as in `percentile`. */
function between(low: number, high: number, share: number): number {
  const gap = high - low;
  return share >= 0.5 ? high - gap * (1 - share) : low + gap * share;
}
